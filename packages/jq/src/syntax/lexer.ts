import { diagnostic, type EscapeProblem, type JqDiagnostic } from "../diagnostics.ts";
import type { Hole } from "../syntax-tree.ts";
import { keywords, operators, type Token, type TokenKind } from "./tokens.ts";

export interface LexResult {
  /** Ends with exactly one `end` token. */
  readonly tokens: readonly Token[];
  readonly diagnostics: readonly JqDiagnostic[];
  /** A string that is never closed swallowed the rest: what is missing at the end is no further mistake. */
  readonly truncated: boolean;
}

const identifier = /(?:[A-Za-z_][A-Za-z0-9_]*::)*[A-Za-z_][A-Za-z0-9_]*/y;
const fieldName = /\.([A-Za-z_][A-Za-z0-9_]*)/y;
const number = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const formatName = /@([A-Za-z0-9_]+)/y;
const blanks = /[ \t\r\n]+/y;
const hexadecimal = /[0-9A-Fa-f]{4}/y;
const otherWord = /'[^'\n]*'|&&|!|[^\s\w.$@"#[\]{}()|,:;=<>+\-*/%?]+|./sy;

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Longer ones before those that they begin with. */
const operatorsByStart: ReadonlyMap<string, readonly string[]> = new Map(
  operators.map(({ 0: start }) => [start!, operators.filter((operator) => operator[0] === start)]),
);

/** An open string, with the number of parentheses that are open in its current interpolation. */
interface OpenString {
  readonly start: number;
  parentheses: number;
}

/**
 * Splits a program into tokens. Interpolated strings are tokens too
 * (`string-start`, `string-text`, `interpolation-start`, …), so that nesting costs no stack.
 */
export function lex(text: string, holes: readonly Hole[] = []): LexResult {
  return new Lexer(text, usableHoles(text, holes)).run();
}

interface IndexedHole extends Hole {
  readonly index: number;
}

function usableHoles(text: string, holes: readonly Hole[]): readonly IndexedHole[] {
  const usable: IndexedHole[] = [];
  let end = 0;
  for (const [index, hole] of holes.entries()) {
    const { start, end: behind } = hole;
    // Also what is no number at all, in an app that somebody has changed: reading would never come to it.
    const isPlace = Number.isInteger(start) && Number.isInteger(behind);
    if (!isPlace || start < end || behind <= start || behind > text.length) continue;
    usable.push({ start, end: behind, index });
    end = hole.end;
  }
  return usable;
}

class Lexer {
  private readonly text: string;
  private readonly holes: readonly IndexedHole[];
  private readonly tokens: Token[] = [];
  private readonly diagnostics: JqDiagnostic[] = [];
  private readonly openStrings: OpenString[] = [];
  private at = 0;
  private nextHole = 0;

  constructor(text: string, holes: readonly IndexedHole[]) {
    this.text = text;
    this.holes = holes;
  }

  run(): LexResult {
    while (this.at < this.text.length) this.code();
    const unclosed = this.openStrings.at(-1);
    if (unclosed !== undefined) {
      this.diagnostics.push(
        diagnostic("unterminated-string", { start: unclosed.start, end: unclosed.start + 1 }, {}),
      );
      // The parser gets balanced tokens, so that it says nothing more about this string.
      for (let index = this.openStrings.length - 1; index >= 0; index--) {
        if (this.openStrings[index]!.parentheses > 0) this.push("interpolation-end", this.at);
        this.push("string-end", this.at);
      }
    }
    this.push("end", this.at);
    return { tokens: this.tokens, diagnostics: this.diagnostics, truncated: unclosed !== undefined };
  }

  /** One token (or blanks, or a comment) outside of strings. */
  private code(): void {
    const { text, at } = this;
    const hole = this.holeAt(at);
    if (hole !== undefined) {
      this.push("hole", hole.end, "", hole.index);
      return;
    }
    switch (text[at]) {
      case " ":
      case "\t":
      case "\r":
      case "\n":
        this.at += this.match(blanks)!.length;
        return;
      case "#":
        this.comment();
        return;
      case '"':
        this.push("string-start", at + 1);
        this.openStrings.push({ start: at, parentheses: 0 });
        this.string();
        return;
      case "(":
        this.parenthesis(1);
        return;
      case ")":
        this.parenthesis(-1);
        return;
      case "$":
        this.sigil("variable", identifier, "as the name of a variable");
        return;
      case "@":
        this.sigil("format", formatName, "as the name of a format");
        return;
    }
    // What begins no number, field or word is told by its first character.
    if (text[at] !== "." && operatorsByStart.has(text[at]!)) return this.operatorOrOther();
    const numeral = this.match(number);
    if (numeral !== undefined) {
      this.push("number", at + numeral.length, numeral);
      return;
    }
    const field = this.match(fieldName);
    if (field !== undefined) {
      this.push("field", at + field.length, field.slice(1));
      return;
    }
    const word = this.match(identifier);
    if (word !== undefined) {
      this.push(keywords.has(word) ? "keyword" : "identifier", at + word.length, word);
      return;
    }
    this.operatorOrOther();
  }

  private operatorOrOther(): void {
    const { text, at } = this;
    const operator = operatorsByStart.get(text[at]!)?.find((candidate) => this.fits(candidate));
    if (operator !== undefined) {
      this.push("operator", at + operator.length, operator);
      return;
    }
    const other = this.match(otherWord) ?? text[at]!;
    this.push("invalid", at + other.length, other);
  }

  private sigil(kind: "variable" | "format", name: RegExp, misplaced: string): void {
    const { at } = this;
    if (kind === "format") {
      const matched = this.match(name);
      if (matched !== undefined) {
        this.push(kind, at + matched.length, matched.slice(1));
        return;
      }
    } else {
      this.at++;
      const matched = this.match(name);
      this.at = at;
      if (matched !== undefined) {
        this.push(kind, at + 1 + matched.length, matched);
        return;
      }
    }
    const hole = this.holeAt(at + 1);
    if (hole !== undefined) {
      this.push("misplaced-hole", hole.end, misplaced, hole.index);
      return;
    }
    this.push("invalid", at + 1, this.text[at]!);
  }

  private parenthesis(change: 1 | -1): void {
    const open = this.openStrings.at(-1);
    if (open === undefined) {
      this.push("operator", this.at + 1, change === 1 ? "(" : ")");
      return;
    }
    open.parentheses += change;
    if (open.parentheses > 0) {
      this.push("operator", this.at + 1, change === 1 ? "(" : ")");
      return;
    }
    this.push("interpolation-end", this.at + 1);
    this.string();
  }

  /** The inside of a string, up to its end or the next `\(`. */
  private string(): void {
    const { text } = this;
    let start = this.at;
    let value = "";
    const flush = (): void => {
      if (this.at > start)
        this.tokens.push({ kind: "string-text", start, end: this.at, text: value, hole: -1 });
    };
    while (this.at < text.length) {
      const hole = this.holeAt(this.at);
      if (hole !== undefined) {
        flush();
        this.push("hole", hole.end, "", hole.index);
        start = this.at;
        value = "";
        continue;
      }
      const character = text[this.at];
      if (character === '"') {
        flush();
        this.push("string-end", this.at + 1);
        this.openStrings.pop();
        return;
      }
      if (character === "\\" && text[this.at + 1] === "(" && this.holeAt(this.at + 1) === undefined) {
        flush();
        this.push("interpolation-start", this.at + 2);
        this.openStrings.at(-1)!.parentheses = 1;
        return;
      }
      if (character === "\\") {
        value += this.escape();
      } else {
        const stop = this.plainEnd();
        value += text.slice(this.at, stop);
        this.at = stop;
      }
    }
    flush();
  }

  /** The end of the run of ordinary characters that starts here. */
  private plainEnd(): number {
    const limit = this.holes[this.nextHole]?.start ?? this.text.length;
    let end = this.at + 1;
    while (end < limit && this.text[end] !== '"' && this.text[end] !== "\\") end++;
    return end;
  }

  /** Reads one escape sequence and gives its value; a faulty one is reported and gives U+FFFD. */
  private escape(): string {
    const start = this.at;
    const letter = this.holeAt(start + 1) === undefined ? this.text[start + 1] : undefined;
    if (letter === "u") {
      const unit = this.hexadecimalUnit(start);
      if (unit === undefined) return this.badEscape(start, this.hexadecimalEnd(start), "hexadecimal");
      this.at = start + 6;
      if (unit >= 0xdc00 && unit <= 0xdfff) return "\ufffd";
      if (unit < 0xd800 || unit > 0xdbff) return String.fromCharCode(unit);
      const low = this.text[this.at] === "\\" ? this.hexadecimalUnit(this.at) : undefined;
      if (low === undefined || low < 0xdc00 || low > 0xdfff) {
        return this.badEscape(start, this.at, "surrogate");
      }
      this.at += 6;
      return String.fromCharCode(unit, low);
    }
    const value = letter === undefined ? undefined : simpleEscapes.get(letter);
    if (value === undefined) {
      const character = letter === undefined ? "" : String.fromCodePoint(this.text.codePointAt(start + 1)!);
      return this.badEscape(start, start + 1 + character.length, "unknown");
    }
    this.at = start + 2;
    return value;
  }

  private badEscape(start: number, end: number, problem: EscapeProblem): string {
    this.diagnostics.push(
      diagnostic("invalid-escape", { start, end }, { escape: this.text.slice(start, end), problem }),
    );
    this.at = end;
    return "\ufffd";
  }

  private hexadecimalUnit(backslash: number): number | undefined {
    if (this.text[backslash + 1] !== "u") return undefined;
    const limit = this.holes[this.nextHole]?.start ?? this.text.length;
    if (backslash + 6 > limit) return undefined;
    hexadecimal.lastIndex = backslash + 2;
    const digits = hexadecimal.exec(this.text);
    return digits === null ? undefined : Number.parseInt(digits[0], 16);
  }

  private hexadecimalEnd(backslash: number): number {
    let end = backslash + 2;
    while (end < backslash + 6 && /[0-9A-Fa-f]/.test(this.text[end] ?? "")) end++;
    return end;
  }

  /** A comment ends with its line, unless an odd number of backslashes stands before the line's end. */
  private comment(): void {
    const { text } = this;
    let at = this.at + 1;
    while (at < text.length && text[at] !== "\n") {
      const hole = this.holeAt(at);
      if (hole !== undefined) at = hole.end;
      else if (text[at] !== "\\") at++;
      else if (text.startsWith("\r\n", at + 1)) at += 3;
      else if (text[at + 1] === "\n" || text[at + 1] === "\\") at += 2;
      else at++;
    }
    this.at = at;
  }

  private holeAt(offset: number): IndexedHole | undefined {
    while (this.nextHole < this.holes.length && this.holes[this.nextHole]!.end <= this.at) this.nextHole++;
    for (let index = this.nextHole; index < this.holes.length; index++) {
      const hole = this.holes[index]!;
      if (hole.start === offset) return hole;
      if (hole.start > offset) return undefined;
    }
    return undefined;
  }

  private fits(operator: string): boolean {
    const hole = this.holes[this.nextHole];
    if (hole !== undefined && hole.start > this.at && hole.start < this.at + operator.length) return false;
    return this.text.startsWith(operator, this.at);
  }

  /** The match of a sticky pattern here, cut off before the next hole. */
  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    const limit = this.holes[this.nextHole]?.start ?? Number.POSITIVE_INFINITY;
    if (found === undefined || this.at + found.length <= limit || limit < this.at) return found;
    return found.slice(0, limit - this.at);
  }

  private push(kind: TokenKind, end: number, text = "", hole = -1): void {
    this.tokens.push({ kind, start: this.at, end, text, hole });
    this.at = end;
  }
}
