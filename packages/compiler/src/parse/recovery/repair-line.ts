import { ScanError, Scanner, Token } from "../scanner.ts";
import { escapedFrom } from "./escaped.ts";
import { type Expectation, type Forgiven, Grammar, type OpenKinds } from "./expectation.ts";
import { candidatesAt, type Stop, stopOf } from "./long-line.ts";
import { otherQuotes } from "./other-quotes.ts";
import { type Candidate, type Read, type Reading, type RepairedLine, repaired } from "./repaired-line.ts";

/** In longer lines, which nobody writes by hand, a slip is looked for only where they stop to be JSON: the search is quadratic. */
const MAX_LINE = 2_000;
/** Characters that all repairs of a document may look at, so that no input makes it slow. */
const MAX_WORK = 4_000_000;
const AFTER_STRING = /[ \t]*(?:[,:}\]/\r\n]|$)/y;
/** Quotes in a line up to which one may be a pair too many. */
const MAX_QUOTES = 24;

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
    if (this.work > MAX_WORK) return undefined;
    if (end - start > MAX_LINE) return this.repairLong(start, end, open, expect);
    const line = text.slice(start, end);
    if (!/["'`‘’“”„]/.test(line)) return undefined;
    this.work += line.length;
    const next = firstOf(text, end);
    const grammar = (forgives: Forgiven) => new Grammar(open, expect, forgives);
    if (read(line, grammar(this.forgives), next) !== undefined) return undefined;
    // Commas that are missing explain it as well, unless the strings between them are odd.
    const separated = read(line, grammar("separators"), next)?.oddities;
    if (separated === 0) return undefined;

    let best: { reading: Reading; candidate: Candidate } | undefined;
    for (const candidate of this.candidates(line, start, end)) {
      if (this.work > MAX_WORK) break;
      const source = applied(text.slice(start, start + candidate.length), candidate);
      this.work += source.length;
      const follower = candidate.length === line.length ? next : firstOf(text, start + candidate.length);
      const reading = read(source, grammar(this.forgives), follower);
      if (reading === undefined || reading.oddities >= (best?.reading.oddities ?? separated ?? Infinity))
        continue;
      best = { reading, candidate };
      if (reading.oddities === 0) break;
    }
    if (best !== undefined) return repaired(start, best.reading, best.candidate, text);
    if (separated !== undefined) return undefined;
    return quotesOf(line).length > MAX_QUOTES ? this.repairLong(start, end, open, expect) : undefined;
  }

  private repairLong(
    start: number,
    end: number,
    open: OpenKinds,
    expect: Expectation,
  ): RepairedLine | undefined {
    const { text } = this;
    this.work += end - start;
    const stop = stopOf(text, start, end, new Grammar(open, expect, "separators"));
    if (stop === undefined) return undefined;
    // What looks like a separator that is missing may be the slip already.
    const first = stopOf(text, start, end, new Grammar(open, expect, this.forgives)) ?? stop;
    for (const each of first.from === stop.from ? [stop] : [first, stop]) {
      for (const until of each.until) {
        const repaired = this.repairUntil(until, each, end, open, expect);
        if (repaired !== undefined) return repaired;
      }
    }
    return undefined;
  }

  private repairUntil(
    until: number,
    stop: Stop,
    end: number,
    open: OpenKinds,
    expect: Expectation,
  ): RepairedLine | undefined {
    const { text } = this;
    const { tokens, from } = stop;
    const length = until - from;
    const next = until < end ? undefined : firstOf(text, end);
    let best: { reading: Reading; candidate: Candidate } | undefined;
    for (const { kind, edits } of candidatesAt(stop, until, end, text)) {
      if (this.work > MAX_WORK) break;
      const candidate: Candidate = { kind, edits, length };
      const source = applied(text.slice(from, until), candidate);
      this.work += source.length;
      const grammar = new Grammar(open, expect, this.forgives);
      for (const { token } of tokens) grammar.take(token);
      const reading = read(source, grammar, next);
      if (reading === undefined || (best !== undefined && best.reading.oddities <= reading.oddities))
        continue;
      best = { reading, candidate };
      if (reading.oddities === 0) break;
    }
    if (best === undefined) return undefined;
    const line = repaired(from, best.reading, best.candidate, text);
    if (next !== undefined) return { ...line, tokens: [...tokens, ...line.tokens] };
    // The last string may be the one that the next slip is in: it is read again.
    const slip = from + best.candidate.edits.at(-1)!.at;
    const again = line.tokens.findLastIndex(({ token, offset }) => token === Token.String && offset > slip);
    const known = [...tokens, ...(again < 0 ? line.tokens : line.tokens.slice(0, again))];
    const last = known.at(-1);
    return last === undefined ? undefined : { ...line, tokens: known, end: last.end };
  }

  private *candidates(line: string, start: number, end: number): Generator<Candidate> {
    const quotes = quotesOf(line);
    const { length } = line;
    const foreign = otherQuotes(line);
    // What comes behind the last of them is read as it stands: a comment there is another mistake.
    if (foreign !== undefined)
      yield { kind: "other-quotes", edits: foreign, length: foreign[foreign.length - 1]!.at + 1 };
    if (quotes.length % 2 === 1) {
      if (quotes.length < MAX_QUOTES) yield* this.overLines(quotes, start, end);
      for (let at = 0; at <= length; at++) {
        if (isBlank(line[at - 1]) && isBlank(line[at])) continue;
        yield { kind: "quote", edits: [{ at, remove: 0, insert: '"' }], length };
      }
      for (const at of quotes) yield { kind: "stray-quote", edits: [{ at, remove: 1, insert: "" }], length };
    }
    if (quotes.length > MAX_QUOTES || !isCutUp(line)) return;
    for (let inner = 1; inner <= quotes.length - 2; inner++) {
      for (let first = 0; first + inner + 1 < quotes.length; first++) {
        if (!mayEnd(line, quotes[first + inner + 1]!)) continue;
        const edits = escapedFrom(0, line, quotes[first]! + 1, quotes[first + inner + 1]!);
        yield { kind: "unescaped-quote", edits, length };
      }
    }
  }

  /** Strings that go on behind the line, with quotes of their own or without: from each place where one may begin. */
  private *overLines(quotes: readonly number[], start: number, end: number): Generator<Candidate> {
    const { text } = this;
    for (let index = quotes.length - 1; index >= 0; index -= 2) {
      const from = start + quotes[index]! + 1;
      let inner = quotes.length - 1 - index;
      for (let close = nextQuote(text, end); close >= 0; close = nextQuote(text, close + 1)) {
        if (close - start > MAX_LINE || inner > MAX_QUOTES) break;
        if (inner++ % 2 !== 0 || !mayEnd(text, close)) continue;
        const edits = escapedFrom(start, text, from, close);
        yield { kind: "line-break", edits, length: endOfLine(text, close) - start };
      }
    }
  }
}

/**
 * The tokens of a line, if they are JSON from that place on and the next line can follow.
 *
 * @param next its first character; undefined if the source is only a part of the line, and its last token may be cut off
 */
function read(source: string, grammar: Grammar, next: string | undefined): Reading | undefined {
  const scanner = new Scanner(source, 0, true);
  const tokens: Read[] = [];
  let oddities = 0;
  for (let token = scanner.scan(); token !== Token.End; token = scanner.scan()) {
    if (next === undefined && scanner.end >= source.length) return { tokens, oddities };
    const { offset, end, value } = scanner;
    if (scanner.error === ScanError.None && (token === Token.LineComment || token === Token.BlockComment)) {
      oddities++;
      continue;
    }
    if (scanner.error !== ScanError.None || !grammar.take(token)) return undefined;
    if (token === Token.String && isOdd(value)) oddities++;
    tokens.push({ token, offset, end, value });
  }
  return next === undefined || grammar.follows(next) ? { tokens, oddities } : undefined;
}

/** Whether hardly anybody would write that string: a quote that cuts a text up leaves blanks or open brackets at the cut. */
function isOdd(text: string): boolean {
  return text !== text.trim() || !isBalanced(text);
}

/** Whether a text closes what it opens and no more, as expansions and programs do. */
function isBalanced(text: string): boolean {
  if (!/[{}[\]()]/.test(text)) return true;
  const open = { "{": 0, "[": 0, "(": 0 };
  for (const { 0: bracket } of text.matchAll(/[{}[\]()]/g)) {
    if (bracket === "{" || bracket === "[" || bracket === "(") open[bracket]++;
    else if (--open[bracket === "}" ? "{" : bracket === "]" ? "[" : "("] < 0) return false;
  }
  return open["{"] === 0 && open["["] === 0 && open["("] === 0;
}

/**
 * Whether the strings of a line look like pieces of a text with quotes of its own: something between them isn't JSON at all, or
 * they are odd, or touch what stands beside them. Brackets and commas alone have other slips.
 */
function isCutUp(line: string): boolean {
  const scanner = new Scanner(line, 0, false);
  let before = { end: -1, isScalar: false };
  for (let token = scanner.scan(); token !== Token.End; token = scanner.scan()) {
    const { offset, end, value } = scanner;
    const isScalar = token >= Token.Null && token <= Token.Number;
    if (token === Token.Unknown || (token === Token.String && isOdd(value))) return true;
    if (isScalar && before.isScalar && before.end === offset) return true;
    before = { end, isScalar };
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

/** Offsets of the quotes that no backslash escapes. */
function quotesOf(line: string): number[] {
  const quotes: number[] = [];
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") at++;
    else if (line[at] === '"') quotes.push(at);
  }
  return quotes;
}

/** Whether a string can end with the quote at that offset, by what comes behind it on its line. */
function mayEnd(text: string, quote: number): boolean {
  AFTER_STRING.lastIndex = quote + 1;
  return AFTER_STRING.test(text);
}

/** The next quote that no backslash escapes; below zero if there is none. */
function nextQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at > 0 && text[at - 1] === "\\") at = text.indexOf('"', at + 1);
  return at;
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
