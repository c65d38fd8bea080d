import { Token } from "../scanner.ts";
import type { SyntaxProblem } from "../syntax-problem.ts";
import type { Path } from "./bracket-path.ts";
import type { Tokens } from "./tokens.ts";

/**
 * The ways on from a place if a bracket is missing before a token, or the token is a bracket too many or of the wrong kind; the
 * token taken.
 *
 * @param path up to there, as the document is written
 * @param at index of the token
 */
export function editsAt(path: Path, at: number, tokens: Tokens): Path[] {
  const { kinds, starts, ends } = tokens;
  const { open, expect } = path;
  const token = kinds[at]!;
  const span = { start: starts[at]!, end: ends[at]! };
  const before = ends[at - 1] ?? span.start;
  const found: Path[] = [];

  const put = (bracket: number, place: number, problem: SyntaxProblem): void => {
    const way = path.with({ token: bracket, at: place, behind: before, problem });
    if (way.bracket(bracket, at) && way.take(tokens, at)) found.push(way);
  };
  const change = (bracket: number | undefined): void => {
    const expected = bracket === undefined ? "no bracket" : `"${written(bracket)}"`;
    const problem: SyntaxProblem = { kind: "unexpected-token", span, text: written(token), expected };
    const way = path.with({ token: bracket, at: span.start, behind: undefined, problem });
    if (bracket === undefined || way.bracket(bracket, at)) found.push(way);
  };

  if (open !== undefined && (isCloser(token) || token === Token.Comma || token === Token.End)) {
    const closer = open.kind === "object" ? Token.CloseBrace : Token.CloseBracket;
    const start = starts[open.token]!;
    put(closer, before, {
      kind: "unclosed-bracket",
      span: { start, end: start + 1 },
      text: written(open.kind === "object" ? Token.OpenBrace : Token.OpenBracket),
      expected: written(closer),
      other: { start: before, end: before },
    });
    if (isCloser(token) && token !== closer) change(closer);
  }
  if (expect === "value" || expect === "value-or-end") {
    const owner = open?.kind === "object" ? at - 2 : at;
    const opener = isCloser(token) ? token - 1 : openerBefore(at, tokens);
    put(opener, span.start, {
      kind: "missing-opener",
      span: { start: starts[owner]!, end: ends[owner]! },
      text: written(opener),
      other: { start: span.start, end: span.start },
    });
  }
  if (isOpener(token) && openerBefore(at + 1, tokens) !== token) change(openerBefore(at + 1, tokens));
  if (isOpener(token) || isCloser(token)) change(undefined);
  return found;
}

function isCloser(token: number | undefined): boolean {
  return token === Token.CloseBrace || token === Token.CloseBracket;
}

function isOpener(token: number): boolean {
  return token === Token.OpenBrace || token === Token.OpenBracket;
}

/** What opens the container that a token is the first of. */
function openerBefore(at: number, { names }: Tokens): number {
  return names[at] === undefined ? Token.OpenBracket : Token.OpenBrace;
}

function written(bracket: number): string {
  return " {}[]"[bracket]!;
}
