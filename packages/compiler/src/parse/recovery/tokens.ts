import { ScanError, Scanner, Token } from "../scanner.ts";

/** The tokens of a document without its comments, and which of its strings are names. */
export interface Tokens {
  readonly kinds: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly names: readonly (string | undefined)[];
}

/** @returns undefined if something in the text is no token of JSON's */
export function tokensOf(text: string, start: number): Tokens | undefined {
  const scanner = new Scanner(text, start, false);
  const kinds: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const names: (string | undefined)[] = [];
  let last = "";
  for (let token = -1; token !== Token.End; ) {
    token = scanner.scan();
    if (scanner.error !== ScanError.None || token === Token.Unknown) return undefined;
    if (token === Token.Colon && kinds[kinds.length - 1] === Token.String) names[names.length - 1] = last;
    kinds.push(token);
    starts.push(scanner.offset);
    ends.push(scanner.end);
    names.push(undefined);
    last = scanner.value;
  }
  return { kinds, starts, ends, names };
}
