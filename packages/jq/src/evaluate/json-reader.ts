import type { Json } from "../json.ts";
import { canonicalNumber, exactNumber } from "./exact-number.ts";
import { isArray, setMember } from "./kinds.ts";
import { byteLength } from "./printing.ts";

/** Why a text isn't JSON, in jq's words, with the place. */
export class JsonSyntaxError extends SyntaxError {}

const DEPTH_LIMIT = 10_000;
const numeral = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** What may be written instead of JSON's numbers, and what they become. */
export interface ReaderOptions {
  /** Also `nan`, `infinity`, `.5`, `007` and `+1`, and texts with half a surrogate pair are treated as in jq. */
  readonly lenient: boolean;
  /** Numbers keep their text, see `exactNumber`. */
  readonly exact: boolean;
}

/** Reads a number as `tonumber` does; undefined if the text is none. */
export function readNumber(text: string, exact: boolean): Json | undefined {
  if (numeral.test(text)) return exact ? canonicalNumber(text) : limited(Number(text));
  if (/^[+-]?nan$/i.test(text)) return Number.NaN;
  if (!/^[+-]?inf(?:inity)?$/i.test(text)) return undefined;
  return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** jq has no infinite literal: what is too large is the largest number. */
function limited(value: number): number {
  if (value === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  return value === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : value;
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
export interface Watcher {
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

/**
 * Reads the JSON values of a text, one after the other.
 *
 * @param reached is told, before each, how far it was read
 * @throws JsonSyntaxError after those before the mistake
 */
export function* readAll(
  text: string,
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

/** Goes over a text token by token. */
export class Reader {
  private readonly text: string;
  private readonly options: ReaderOptions;
  readonly stack: Open[] = [];
  private readonly watcher: Watcher | undefined;
  /** The value that was read last and isn't part of another one yet. */
  private next: Json | undefined;
  private at = 0;

  constructor(text: string, options: ReaderOptions, watcher?: Watcher) {
    this.text = text;
    this.options = options;
    this.watcher = watcher;
    if (text.startsWith("\uFEFF")) this.at = 1;
  }

  /** How far the text was read. */
  get offset(): number {
    return this.at;
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Reads a token; a value that isn't part of another one and is complete with it. */
  advance(): Json | undefined {
    const character = this.text[this.at]!;
    if (this.at === 0 && this.options.lenient && beginsLikeMark.test(character)) {
      throw new JsonSyntaxError("Malformed BOM");
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
    this.next = top.value;
  }

  private add(top: Open, value: Json): void {
    if (Array.isArray(top.value)) {
      top.last = top.count;
      this.watcher?.added(value);
      top.value.push(value);
    } else {
      if (top.key === undefined) this.fail("Objects must consist of key:value pairs");
      top.last = top.key;
      this.watcher?.added(value);
      setMember(top.value, top.key, value);
      top.key = undefined;
    }
    top.count++;
    this.next = undefined;
  }

  private literal(): Json {
    const { text } = this;
    const start = this.at;
    while (this.at < text.length && !isDelimiter(text[this.at]!)) this.at++;
    const word = text.slice(start, this.at);
    const known = words.get(word);
    if (known !== undefined) return known;
    const { exact, lenient } = this.options;
    const value = lenient ? readNumber(word, exact) : json.test(word) ? exactNumber(word) : undefined;
    if (value !== undefined) return value;
    const isAtEnd = this.at === text.length;
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
    const { text } = this;
    const start = this.at + 1;
    let end = start;
    let isPlain = true;
    for (; end < text.length && text[end] !== '"'; end++) {
      const unit = text.charCodeAt(end);
      if (unit === 0x5c) {
        isPlain = false;
        end++;
      } else if (unit < 0x20) isPlain = false;
    }
    this.at = Math.min(end + 1, text.length);
    if (end >= text.length) this.fail("Unfinished string", true);
    const body = text.slice(start, end);
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
    const read = this.text.slice(0, this.at);
    const lines = read.split("\n");
    const column = byteLength(lines.at(-1)!);
    const place = `at line ${lines.length}, column ${column}`;
    throw new JsonSyntaxError(`${problem} ${atEnd ? "at EOF " : ""}${place}`);
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
