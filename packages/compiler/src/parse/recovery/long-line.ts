import { ScanError, Scanner, Token } from "../scanner.ts";
import { escapedFrom } from "./escaped.ts";
import type { Grammar } from "./expectation.ts";
import type { Candidate, RepairedToken } from "./repaired-line.ts";

/** How many characters behind a slip have to be JSON once it is repaired: fewer where that is because of the next slip. */
const ahead = [1_500, 300, 60];
/** Pairs of quotes that may be meant as characters of one string: so many, or all but so many of those that come before its end. */
const MAX_PAIRS = 4;

/** Where a long line stops to be JSON. A slip with a quote isn't far: it is in the last string before, or behind that. */
export interface Stop {
  /** What comes before the last string. */
  readonly tokens: readonly RepairedToken[];
  /** Where that begins. */
  readonly from: number;
  /** How far from there the text is looked at: as far as that does, before shorter. */
  readonly until: readonly number[];
  /** The last string, the tokens behind it, and the one that can't stand there. */
  readonly last: readonly RepairedToken[];
}

/**
 * @param grammar of the line's beginning
 * @returns undefined if all of the line fits
 */
export function stopOf(text: string, start: number, end: number, grammar: Grammar): Stop | undefined {
  const scanner = new Scanner(text, start, false);
  const tokens: RepairedToken[] = [];
  let string = 0;
  for (let token = scanner.scan(); token !== Token.End && scanner.offset < end; token = scanner.scan()) {
    const { offset, end: tokenEnd, value } = scanner;
    tokens.push({ token, offset, end: tokenEnd, value, quotes: token === Token.String ? 2 : 0 });
    const isBroken = scanner.error !== ScanError.None || !grammar.take(token);
    if (isBroken) {
      const last = tokens.slice(string);
      return {
        tokens: tokens.slice(0, string),
        from: last[0]!.offset,
        until: [...new Set(ahead.map((length) => Math.min(end, offset + length)))],
        last,
      };
    }
    if (token === Token.String) string = tokens.length - 1;
  }
  return undefined;
}

/**
 * The single slips with a quote that may have led to a stop; edits in offsets from where its last string begins.
 *
 * @param until how far the text is looked at
 * @param end of the line
 */
export function* candidatesAt(
  { from, last }: Stop,
  until: number,
  end: number,
  text: string,
): Generator<Omit<Candidate, "length">> {
  const insert = (at: number) => ({
    kind: "quote" as const,
    edits: [{ at: at - from, remove: 0, insert: '"' }],
  });
  const [string, ...behind] = last;
  if (string === undefined) return;
  const isString = string.token === Token.String;
  // A string that goes on to the next one's opening quote ends where a value or name can.
  if (isString) {
    for (let at = string.offset + 1; at < Math.min(string.end, until); at++) {
      if (!",:}]".includes(text[at]!)) continue;
      let before = at;
      while (text[before - 1] === " ") before--;
      yield insert(before);
    }
  }
  for (const { offset } of isString ? behind : last) yield insert(offset);
  for (const { token, offset, end } of last) {
    if (token !== Token.String) continue;
    for (const at of [offset, end - 1])
      if (at < until) yield { kind: "stray-quote", edits: [{ at: at - from, remove: 1, insert: "" }] };
  }
  if (!isString) return;
  const quotes: number[] = [];
  for (let at = string.end - 1; at >= 0 && at < until; at = text.indexOf('"', at + 1))
    if (text[at - 1] !== "\\") quotes.push(at);
  const withPairs = (count: number) => ({
    kind: "unescaped-quote" as const,
    edits: escapedFrom(from, text, string.offset + 1, quotes[2 * count]!),
  });
  const pairs = Math.floor((quotes.length - 1) / 2);
  for (let count = 1; count <= Math.min(MAX_PAIRS, pairs); count++) yield withPairs(count);
  // Up to the end of the line, where no member follows; elsewhere that many would take in the members.
  if (until < end) return;
  for (let count = pairs; count > Math.max(MAX_PAIRS, pairs - MAX_PAIRS); count--) yield withPairs(count);
}
