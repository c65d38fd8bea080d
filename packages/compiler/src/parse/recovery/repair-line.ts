import { ScanError, Scanner, Token } from "../scanner.ts";
import { type Expectation, type Forgiven, Grammar, type OpenKinds } from "./expectation.ts";
import { candidatesAt, type Stop, stopOf } from "./long-line.ts";
import { otherQuotes } from "./other-quotes.ts";
import { type Candidate, type Read, type Reading, type RepairedLine, repaired } from "./repaired-line.ts";

/** In longer lines, which nobody writes by hand, a slip is looked for only where they stop to be JSON: the search is quadratic. */
const MAX_LINE = 2_000;
/** Characters that all repairs of a document may look at, so that no input makes it slow. */
const MAX_WORK = 4_000_000;
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
    if (read(line, new Grammar(open, expect, "separators"), next) !== undefined) return undefined;

    let best: { reading: Reading; candidate: Candidate } | undefined;
    for (const candidate of this.candidates(line, start, end)) {
      if (this.work > MAX_WORK) break;
      const source = applied(text.slice(start, start + candidate.length), candidate);
      this.work += source.length;
      const follower = candidate.length === line.length ? next : firstOf(text, start + candidate.length);
      const reading = read(source, new Grammar(open, expect, this.forgives), follower);
      if (reading === undefined || (best !== undefined && best.reading.oddities <= reading.oddities))
        continue;
      best = { reading, candidate };
      if (reading.oddities === 0) break;
    }
    if (best !== undefined) return repaired(start, best.reading, best.candidate, text);
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
    for (const { kind, edits } of candidatesAt(stop, until, text)) {
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
    if (token === Token.String && (value !== value.trim() || !isBalanced(value))) oddities++;
    tokens.push({ token, offset, end, value });
  }
  return next === undefined || grammar.follows(next) ? { tokens, oddities } : undefined;
}

/** Whether a text closes what it opens, as expansions and programs do: a quote between the two is in the wrong place. */
function isBalanced(text: string): boolean {
  if (!/[{}[\]]/.test(text)) return true;
  const count = (bracket: string): number => text.split(bracket).length;
  return count("{") === count("}") && count("[") === count("]");
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
