import type { Difference } from "./compare.ts";

/** Differences that we keep, as the README's table tells; each with what to recognise it by. */
const kept: readonly { readonly why: string; readonly applies: (difference: Difference) => boolean }[] = [
  {
    why: "texts can be reversed, as the manual says",
    applies: ({ program, expected }) =>
      /\breverse\b/.test(program) && /^Cannot index string with number/.test(expected.error ?? ""),
  },
  {
    why: "from_entries takes keys that aren't texts, as the manual says",
    applies: ({ program, expected }) =>
      /with_entries|from_entries/.test(program) && /^Cannot use .* as object key/.test(expected.error ?? ""),
  },
  {
    why: "jq tries the next alternative of ?// for failures far outside of the expression, beyond first, label and try",
    applies: ({ program, expected, actual }) =>
      program.includes("?//") && (expected.error ?? actual.error) !== undefined,
  },
  {
    why: "the C library of the reference build knows no times before 1970",
    applies: ({ program }) => /gmtime|date/.test(program),
  },
  {
    why: "after an empty match jq goes on by a byte, not a character",
    applies: ({ program }) => program.includes("b?"),
  },
  {
    why: "members whose names are digits come first, also where an error quotes them",
    applies: ({ program, expected, actual }) =>
      program.includes("| tostring]") &&
      /\{/.test(expected.error ?? "") &&
      /"\d+\\?"/.test(actual.error ?? ""),
  },
];

export function isKept(difference: Difference): boolean {
  return kept.some(({ applies }) => applies(difference));
}
