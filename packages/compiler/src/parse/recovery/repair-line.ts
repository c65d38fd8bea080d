import { ScanError, Scanner, Token } from "../scanner.ts";
import type { SyntaxProblem } from "../syntax-problem.ts";
import { type Expectation, type Forgiven, Grammar, type OpenKinds } from "./expectation.ts";
import { type LineEdit, otherQuotes } from "./other-quotes.ts";

/** A token of a repaired line, at its place in the document. */
export interface RepairedToken {
  readonly token: number;
  readonly offset: number;
  readonly end: number;
  readonly value: string;
  /** Quotes that the source of a string really has. */
  readonly quotes: number;
}

export interface RepairedLine {
  readonly tokens: readonly RepairedToken[];
  /** Where scanning goes on. */
  readonly end: number;
  readonly problem: SyntaxProblem;
}

/** Longer lines are read as they are: what is written by hand isn't longer, and the search is quadratic. */
const MAX_LINE = 2_000;
/** Characters that all repairs of a document may look at, so that no input makes it slow. */
const MAX_WORK = 4_000_000;
/** Quotes in a line up to which one may be a pair too many. */
const MAX_QUOTES = 24;

/** Texts that differ from the line by one mistake of a person's, with what the mistake is. */
interface Candidate {
  readonly kind: "quote" | "line-break" | "unescaped-quote" | "stray-quote" | "other-quotes";
  /** Ascending, in offsets of the line. */
  readonly edits: readonly LineEdit[];
  /** How much of the document it takes, from the line's start. */
  readonly length: number;
}

/**
 * Finds the one slip with a quote that explains a line which isn't JSON where it stands: a quote that is missing, too many,
 * not escaped, or a line break inside a string. The tokens are those that the author meant.
 */
export class LineRepair {
  private work = 0;
  private readonly text: string;
  private readonly forgives: Forgiven;

  constructor(text: string, jsonc: boolean) {
    this.text = text;
    this.forgives = jsonc ? "trailing-commas" : "nothing";
  }

  /**
   * @param start of the first token of the line
   * @param open containers around it
   * @returns undefined if the line is fine, or no single slip explains it
   */
  repair(start: number, open: OpenKinds, expect: Expectation): RepairedLine | undefined {
    const { text } = this;
    const end = endOfLine(text, start);
    if (end - start > MAX_LINE || this.work > MAX_WORK) return undefined;
    const line = text.slice(start, end);
    if (!/["'`‘’“”„]/.test(line)) return undefined;
    this.work += line.length;
    const next = firstOf(text, end);
    if (read(line, new Grammar(open, expect, "separators"), next) !== undefined) return undefined;

    let best: { reading: Reading; candidate: Candidate; oddities: number } | undefined;
    for (const candidate of this.candidates(line, start, end)) {
      if (this.work > MAX_WORK) break;
      const source = applied(text.slice(start, start + candidate.length), candidate);
      this.work += source.length;
      const follower = candidate.length === line.length ? next : firstOf(text, start + candidate.length);
      const reading = read(source, new Grammar(open, expect, this.forgives), follower);
      if (reading === undefined) continue;
      const oddities = reading.filter(
        ({ token, value }) => token === Token.String && value !== value.trim(),
      ).length;
      if (best !== undefined && best.oddities <= oddities) continue;
      best = { reading, candidate, oddities };
      if (oddities === 0) break;
    }
    return best === undefined ? undefined : repaired(start, best.reading, best.candidate, text);
  }

  private *candidates(line: string, start: number, end: number): Generator<Candidate> {
    const quotes = quotesOf(line);
    const { length } = line;
    const foreign = otherQuotes(line);
    // What comes behind the last of them is read as it stands: a comment there is another mistake.
    if (foreign !== undefined)
      yield { kind: "other-quotes", edits: foreign, length: foreign[foreign.length - 1]!.at + 1 };
    if (quotes.length % 2 === 1) {
      const next = this.text.indexOf('"', end);
      if (next >= 0 && next - start <= MAX_LINE) {
        const last = endOfLine(this.text, next);
        yield { kind: "line-break", edits: breaksBetween(this.text, end, next, start), length: last - start };
      }
      for (let at = 0; at <= length; at++) {
        if (isBlank(line[at - 1]) && isBlank(line[at])) continue;
        yield { kind: "quote", edits: [{ at, remove: 0, insert: '"' }], length };
      }
      for (const at of quotes) yield { kind: "stray-quote", edits: [{ at, remove: 1, insert: "" }], length };
    }
    // Text between the quotes that isn't JSON must be there: brackets and commas alone have other slips.
    if (quotes.length > MAX_QUOTES || !hasWords(line)) return;
    for (let inner = 1; inner <= quotes.length - 2; inner++) {
      for (let first = 0; first + inner + 1 < quotes.length; first++) {
        const escaped = quotes.slice(first + 1, first + 1 + inner);
        const edits = escaped.map((at) => ({ at, remove: 0, insert: "\\" }));
        yield { kind: "unescaped-quote", edits, length };
      }
    }
  }
}

interface Read {
  readonly token: number;
  readonly offset: number;
  readonly end: number;
  readonly value: string;
}
type Reading = readonly Read[];

/** The tokens of a line, if they are JSON from that place on and the next line can follow. */
function read(source: string, grammar: Grammar, next: string): Reading | undefined {
  const scanner = new Scanner(source, 0, false);
  const tokens: Read[] = [];
  for (let token = scanner.scan(); token !== Token.End; token = scanner.scan()) {
    if (scanner.error !== ScanError.None || !grammar.take(token)) return undefined;
    tokens.push({ token, offset: scanner.offset, end: scanner.end, value: scanner.value });
  }
  return grammar.follows(next) ? tokens : undefined;
}

/** Whether anything stands outside of the strings that isn't JSON at all. */
function hasWords(line: string): boolean {
  const scanner = new Scanner(line, 0, false);
  for (let token = scanner.scan(); token !== Token.End; token = scanner.scan()) {
    if (token === Token.Unknown) return true;
  }
  return false;
}

function applied(source: string, { edits }: Candidate): string {
  let text = "";
  let from = 0;
  for (const { at, remove, insert } of edits) {
    text += source.slice(from, at) + insert;
    from = at + remove;
  }
  return text + source.slice(from);
}

/** Brings a reading of the changed text back to the document. */
function repaired(start: number, reading: Reading, candidate: Candidate, text: string): RepairedLine {
  const back = (offset: number): number => {
    let shift = 0;
    for (const { at, remove, insert } of candidate.edits) {
      const changed = at + shift;
      if (offset <= changed) break;
      shift += offset < changed + insert.length ? offset - changed : insert.length;
      shift -= remove;
    }
    return start + offset - shift;
  };
  const tokens = reading.map(({ token, offset, end, value }): RepairedToken => {
    const from = back(offset);
    const to = back(end);
    const quotes = token === Token.String ? quotesAround(text, from, to, candidate, start) : 0;
    return { token, offset: from, end: to, value, quotes };
  });
  return { tokens, end: start + candidate.length, problem: problemOf(start, tokens, candidate, text) };
}

function quotesAround(text: string, from: number, to: number, candidate: Candidate, start: number): number {
  if (candidate.kind !== "quote") return 2;
  const at = start + candidate.edits[0]!.at;
  const opened = text[from] === '"' && at !== from;
  const closed = text[to - 1] === '"' && at !== to;
  return (opened ? 1 : 0) + (closed ? 1 : 0);
}

function problemOf(
  start: number,
  tokens: readonly RepairedToken[],
  { kind, edits }: Candidate,
  text: string,
): SyntaxProblem {
  const at = start + edits[0]!.at;
  const touched = tokens.find(
    ({ token, offset, end, quotes }) =>
      token === Token.String && offset <= at && at <= end && (kind !== "quote" || quotes < 2),
  );
  const span =
    touched === undefined ? { start: at, end: at + 1 } : { start: touched.offset, end: touched.end };
  const shown = text.slice(span.start, Math.min(span.end, span.start + 80));
  switch (kind) {
    case "quote":
      return {
        kind: at === span.start ? "unopened-string" : "unclosed-string",
        span,
        text: shown,
        expected: '"',
      };
    case "line-break":
      return { kind: "line-break-in-string", span, text: shown };
    case "unescaped-quote":
      return { kind: "unescaped-quote", span, text: shown };
    case "other-quotes":
      return { kind: "other-quotes", span, text: shown };
    case "stray-quote":
      return { kind: "unexpected-token", span: { start: at, end: at + 1 }, text: '"', expected: "no quote" };
  }
}

/** Offsets of the quotes that no backslash escapes. */
function quotesOf(line: string): number[] {
  const quotes: number[] = [];
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") at++;
    else if (line[at] === '"') quotes.push(at);
  }
  return quotes;
}

/** Line breaks of a string that goes on to the next quote, as they would have to be written. */
function breaksBetween(text: string, from: number, to: number, start: number) {
  const edits: { at: number; remove: number; insert: string }[] = [];
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) edits.push({ at: at - start, remove: 1, insert: "\\n" });
    else if (code === 13) edits.push({ at: at - start, remove: 1, insert: "\\r" });
    else if (code === 9) edits.push({ at: at - start, remove: 1, insert: "\\t" });
  }
  return edits;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end < 0) return text.length;
  return text.charCodeAt(end - 1) === 13 && end > offset ? end - 1 : end;
}

/** The first character after blanks; empty at the end of the document. */
function firstOf(text: string, offset: number): string {
  let at = offset;
  while (isBlank(text[at]) && at < text.length) at++;
  return text[at] ?? "";
}

function isBlank(character: string | undefined): boolean {
  return (
    character === undefined ||
    character === " " ||
    character === "\n" ||
    character === "\r" ||
    character === "\t"
  );
}
