import { ScanError, Scanner, Token } from "../scanner.ts";
import type { Grammar } from "./expectation.ts";
import type { Candidate, RepairedToken } from "./repaired-line.ts";

/** How many characters behind a slip have to be JSON once it is repaired: fewer where that is because of the next slip. */
const ahead = [1_500, 300, 60];
/** Quotes that may be meant as characters of one string. */
const MAX_ESCAPED = 6;

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
 */
export function* candidatesAt(
  { from, last }: Stop,
  until: number,
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
      let end = at;
      while (text[end - 1] === " ") end--;
      yield insert(end);
    }
  }
  for (const { offset } of isString ? behind : last) yield insert(offset);
  for (const { token, offset, end } of last) {
    if (token !== Token.String) continue;
    for (const at of [offset, end - 1])
      if (at < until) yield { kind: "stray-quote", edits: [{ at: at - from, remove: 1, insert: "" }] };
  }
  if (!isString) return;
  const edits = [];
  for (
    let at = string.end - 1;
    at >= 0 && at < until && edits.length < MAX_ESCAPED;
    at = text.indexOf('"', at + 1)
  ) {
    if (text[at - 1] !== "\\") edits.push({ at: at - from, remove: 0, insert: "\\" });
    if (edits.length > 0 && edits.length % 2 === 0) yield { kind: "unescaped-quote", edits: [...edits] };
  }
}
