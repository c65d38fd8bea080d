import { Token } from "../scanner.ts";
import type { SyntaxProblem } from "../syntax-problem.ts";
import type { LineEdit } from "./other-quotes.ts";

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

/** Texts that differ from the line by one mistake of a person's, with what the mistake is. */
export interface Candidate {
  readonly kind: "quote" | "line-break" | "unescaped-quote" | "stray-quote" | "other-quotes";
  /** Ascending, in offsets of the line. */
  readonly edits: readonly LineEdit[];
  /** How much of the document it takes, from the line's start. */
  readonly length: number;
}

export interface Read {
  readonly token: number;
  readonly offset: number;
  readonly end: number;
  readonly value: string;
}
export interface Reading {
  readonly tokens: readonly Read[];
  /** Strings that hardly anybody would write so, with blanks at an end or brackets left open, and comments: behind a quote in a URL, all the rest of a line is one. */
  readonly oddities: number;
}

/** Brings a reading of the changed text back to the document. */
export function repaired(start: number, reading: Reading, candidate: Candidate, text: string): RepairedLine {
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
  const tokens = reading.tokens.map(({ token, offset, end, value }): RepairedToken => {
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
