import type { Json } from "../json.ts";
import { exactNumber } from "./exact-number.ts";
import { isArray, setMember } from "./kinds.ts";
import { byteLength } from "./printing.ts";
import { readNumber } from "./read-number.ts";

/** Why a text isn't JSON, in jq's words, with the place. */
export class JsonSyntaxError extends SyntaxError {}

const DEPTH_LIMIT = 10_000;

/** What may be written instead of JSON's numbers, and what they become. */
export interface ReaderOptions {
  /** Also `nan`, `infinity`, `.5`, `007` and `+1`, and texts with half a surrogate pair are treated as in jq. */
  readonly lenient: boolean;
  /** Numbers keep their text, see `exactNumber`. */
  readonly exact: boolean;
}

/** An array or object that isn't closed yet. */
export interface Open {
  readonly value: Json[] | Record<string, Json>;
  /** Of the member whose value comes next. */
  key: string | undefined;
  count: number;
  /** The key of the item or member that was added last. */
  last: Json;
}

/** Is told of each part while a text is read. */
interface Watcher {
  /** An item or member is complete; it is about to be added to the innermost of those that are open. */
  added(value: Json): void;
  /** The innermost is complete and has parts. */
  closed(): void;
}

/**
 * Reads one JSON value, without recursion. Mistakes are found where jq finds them.
 *
 * @throws JsonSyntaxError
 */
export function readJson(text: string, options: ReaderOptions): Json {
  const reader = new Reader(text, options);
  let result: Json | undefined;
  while (!reader.atEnd) {
    const value = reader.advance();
    if (value === undefined) continue;
    if (result !== undefined) throw new JsonSyntaxError("Unexpected extra JSON values");
    result = value;
  }
  reader.finish();
  if (result === undefined) throw new JsonSyntaxError("Expected JSON value");
  return result;
}

/** A text, or what gives the next part of one, undefined at its end. It is only asked for more when that is needed. */
export type Source = string | (() => string | undefined);

/**
 * Reads the JSON values of a text, one after the other.
 *
 * @param reached is told, before each, how far it was read
 * @throws JsonSyntaxError after those before the mistake
 */
export function* readAll(
  text: Source,
  options: ReaderOptions,
  reached?: (offset: number) => void,
): Generator<Json> {
  const reader = new Reader(text, options);
  while (!reader.atEnd) {
    const value = reader.advance();
    if (value === undefined) continue;
    reached?.(reader.offset);
    yield value;
  }
  reader.finish();
}

/** What has the first byte of a byte order mark in UTF-8, by which jq takes it for one. */
const beginsLikeMark = /[\uf000-\ufefe\uff00-\uffff]/;

/** Stands for an array or object whose parts aren't kept. */
const passed: Json = { parts: true };

/** Goes over a text token by token. Of a text that comes in parts it keeps the part that it is at. */
export class Reader {
  private text = "";
  private more: (() => string | undefined) | undefined;
  private readonly options: ReaderOptions;
  readonly stack: Open[] = [];
  private readonly watcher: Watcher | undefined;
  /** The value that was read last and isn't part of another one yet. */
  private next: Json | undefined;
  private at = 0;
  /** Of what was before the part: its length, its line ends, and the bytes after the last of them. */
  private before = 0;
  private lines = 0;
  private column = 0;
  /** Up to there no line is a value. */
  private noLineUntil = 0;

  /** @param watcher is told of the parts of values, which aren't kept then */
  constructor(source: Source, options: ReaderOptions, watcher?: Watcher) {
    this.options = options;
    this.watcher = watcher;
    if (typeof source === "string") this.feed(source);
    else {
      this.more = source;
      this.fill();
    }
  }

  /** How far the text was read. */
  get offset(): number {
    return this.before + this.at;
  }

  get atEnd(): boolean {
    return this.at >= this.text.length && !this.fill();
  }

  /** Goes on to the next part of the text, when all of this one was read; false if there is none. */
  private fill(): boolean {
    let next: string | undefined = "";
    while (next === "") next = this.more?.();
    if (next === undefined) {
      this.more = undefined;
      return false;
    }
    this.feed(next);
    return true;
  }

  /** Goes on with the next part of a text that isn't at hand yet; it ends between tokens. */
  feed(text: string): void {
    this.count(this.text);
    this.before += this.text.length;
    this.text = text;
    this.at = this.before === 0 && text.startsWith("\uFEFF") ? 1 : 0;
  }

  private count(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.lines++;
      this.column = 0;
      start = end + 1;
    }
    this.column += byteLength(text.slice(start));
  }

  /** Reads a token; a value that isn't part of another one and is complete with it. */
  advance(): Json | undefined {
    const character = this.text[this.at]!;
    if (this.offset === 0 && this.options.lenient && beginsLikeMark.test(character)) {
      throw new JsonSyntaxError("Malformed BOM");
    }
    if (this.stack.length === 0 && this.next === undefined && (character === "{" || character === "[")) {
      const line = this.line();
      if (line !== undefined) return line;
    }
    if (character === '"') this.value(this.string());
    else if (isStructure(character)) {
      this.at++;
      this.structure(character);
    } else if (isBlank(character)) this.at++;
    else this.value(this.literal());
    if (this.stack.length > 0 || this.next === undefined) return undefined;
    const value = this.next;
    this.next = undefined;
    // A number or name ends only with what follows it; if that can't stand there, it isn't given.
    const isWord = !'"]}'.includes(this.text[this.at - 1]!);
    if (isWord && ",:]}".includes(this.text[this.at] ?? " ")) this.structure(this.text[this.at++]!);
    return value;
  }

  /** The value that the rest of the line is, if it is one: the engine's own parser is many times faster. */
  private line(): Json | undefined {
    if (this.watcher !== undefined || this.at < this.noLineUntil - this.before) return undefined;
    const end = this.text.indexOf("\n", this.at);
    if (end === -1) {
      this.noLineUntil = this.before + this.text.length;
      return undefined;
    }
    const line = this.text.slice(this.at, end).trimEnd();
    const value = quickJson(line);
    if (value === undefined) this.noLineUntil = this.before + end;
    else this.at += line.length;
    return value;
  }

  /** @throws JsonSyntaxError if the text ends too early */
  finish(): void {
    if (this.stack.length > 0) this.fail("Unfinished JSON term", true);
  }

  private value(value: Json): void {
    if (this.next !== undefined) {
      this.consumeDelimiter(value);
      this.fail("Expected separator between values", this.at > this.text.length);
    }
    this.next = value;
  }

  private structure(character: string): void {
    const top = this.stack.at(-1);
    switch (character) {
      case "[":
      case "{":
        if (this.stack.length >= DEPTH_LIMIT) this.fail("Exceeds depth limit for parsing");
        if (this.next !== undefined) this.fail("Expected separator between values");
        this.stack.push({ value: character === "[" ? [] : {}, key: undefined, count: 0, last: null });
        return;
      case ":":
        if (this.next === undefined) this.fail("Expected string key before ':'");
        if (top === undefined || isArray(top.value)) this.fail("':' not as part of an object");
        if (top.key !== undefined) this.fail("':' should follow a key");
        if (typeof this.next !== "string") this.fail("Object keys must be strings");
        top.key = this.next;
        this.next = undefined;
        return;
      case ",":
        if (this.next === undefined) this.fail("Expected value before ','");
        if (top === undefined) this.fail("',' not as part of an object or array");
        this.add(top, this.next);
        return;
      case "]":
        if (top === undefined || !isArray(top.value)) this.fail("Unmatched ']'");
        if (this.next !== undefined) this.add(top, this.next);
        else if (top.count > 0) this.fail("Expected another array element");
        break;
      default:
        if (top === undefined) this.fail("Unmatched '}'");
        if (isArray(top.value)) {
          this.fail(this.next === undefined ? "Unmatched '}'" : "Objects must consist of key:value pairs");
        }
        if (this.next !== undefined) this.add(top, this.next);
        else if (top.key !== undefined) this.fail("Unmatched '}'");
        else if (top.count > 0) this.fail("Expected another key-value pair");
    }
    if (top.count > 0) this.watcher?.closed();
    this.stack.pop();
    this.next = this.watcher !== undefined && top.count > 0 ? passed : top.value;
  }

  private add(top: Open, value: Json): void {
    if (Array.isArray(top.value)) {
      top.last = top.count;
      if (this.watcher === undefined) top.value.push(value);
      else this.watcher.added(value);
    } else {
      if (top.key === undefined) this.fail("Objects must consist of key:value pairs");
      top.last = top.key;
      if (this.watcher === undefined) setMember(top.value, top.key, value);
      else this.watcher.added(value);
      top.key = undefined;
    }
    top.count++;
    this.next = undefined;
  }

  private literal(): Json {
    let word = "";
    do {
      const start = this.at;
      while (this.at < this.text.length && !isDelimiter(this.text[this.at]!)) this.at++;
      word += this.text.slice(start, this.at);
    } while (this.at === this.text.length && this.fill());
    const known = words.get(word);
    if (known !== undefined) return known;
    const { exact, lenient } = this.options;
    const value = lenient ? readNumber(word, exact) : json.test(word) ? exactNumber(word) : undefined;
    if (value !== undefined) return value;
    const isAtEnd = this.at === this.text.length;
    this.consumeDelimiter(word);
    if (word.startsWith("'")) {
      this.fail(`Invalid string literal; expected ", but got '`, isAtEnd);
    }
    const isWord = /^(?:[tf]|nul|nan$)/.test(word) && !word.startsWith("nan");
    return this.fail(isWord ? "Invalid literal" : "Invalid numeric literal", isAtEnd);
  }

  /** What shows jq that a word has ended is the character after it, so that is where it finds mistakes. */
  private consumeDelimiter(read: Json): void {
    const isText = typeof read === "string" && this.text[this.at - 1] === '"';
    if (!isText && this.at < this.text.length) this.at++;
  }

  private string(): string {
    let body = "";
    let start = this.at + 1;
    let end = start;
    let isPlain = true;
    for (;;) {
      const { text } = this;
      for (; end < text.length; end++) {
        const unit = text.charCodeAt(end);
        if (unit === 0x22) break;
        if (unit === 0x5c) {
          isPlain = false;
          end++;
        } else if (unit < 0x20) isPlain = false;
      }
      body += text.slice(start, end);
      this.at = Math.min(end + 1, text.length);
      if (end < text.length) break;
      // What a backslash at the end stands before comes next.
      const escaped = end - text.length;
      if (!this.fill()) this.fail("Unfinished string", true);
      start = 0;
      end = escaped;
    }
    return isPlain ? body : this.unescaped(body);
  }

  private unescaped(body: string): string {
    return body.replace(
      escapeSequence,
      (_whole, high?: string, low?: string, code?: string, letter?: string) => {
        if (high !== undefined) return codeUnit(high) + codeUnit(low!);
        if (letter !== undefined) return escapes.get(letter) ?? this.fail("Invalid escape");
        if (code === undefined) {
          this.fail("Invalid string: control characters from U+0000 through U+001F must be escaped");
        }
        if (code.length < 4) this.fail("Invalid \\uXXXX escape");
        if (!/^[0-9a-fA-F]{4}$/.test(code)) this.fail("Invalid characters in \\uXXXX escape");
        if (!this.options.lenient || !/^d[89a-f]/i.test(code)) return codeUnit(code);
        // Half of a pair.
        return /^d[c-f]/i.test(code) ? "\ufffd" : this.fail("Invalid \\uXXXX\\uXXXX surrogate pair escape");
      },
    );
  }

  private fail(problem: string, atEnd = false): never {
    this.count(this.text.slice(0, this.at));
    const place = `at line ${this.lines + 1}, column ${this.column}`;
    throw new JsonSyntaxError(`${problem} ${atEnd ? "at EOF " : ""}${place}`);
  }
}

/** Numbers that keep their text, as far as they can be told from texts, and escaped halves of surrogate pairs. */
const notQuick =
  /[:,[\s](?:-?(?:[\d.]{16}|\d[\d.]*[eE]|\d+\.\d*0(?!\d)|0\.0000)|-0(?![.\d]))|\\u[dD][89a-fA-F]/;

/** The value of a text if the engine reads it as jq does; undefined for all others, and for what isn't JSON. */
function quickJson(text: string): Json | undefined {
  const end = text.at(-1);
  if ((end !== "}" && end !== "]") || text.length > DEPTH_LIMIT || notQuick.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const json = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["null", null],
  ["true", true],
  ["false", false],
]);

/** Both halves of a pair, one code, one letter, or a character that should have been escaped. */
const escapeSequence =
  /\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\u(.{0,4})|\\(.)|[\0-\x1f]/gs;

function codeUnit(hexadecimal: string): string {
  return String.fromCharCode(Number.parseInt(hexadecimal, 16));
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

function isStructure(character: string): boolean {
  return "[]{}:,".includes(character);
}

function isBlank(character: string): boolean {
  return " \t\r\n".includes(character);
}

function isDelimiter(character: string): boolean {
  return character === '"' || isStructure(character) || isBlank(character);
}
