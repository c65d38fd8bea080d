import type { Assertion, PlainSet } from "../syntax/tree.ts";

/** A pattern of what JavaScript has with exactly the same meaning; case is written out. */
export type Plain =
  | { readonly kind: "sequence" | "alternatives"; readonly items: readonly Plain[] }
  | { readonly kind: "never" }
  | { readonly kind: "set"; readonly set: PlainSet }
  | { readonly kind: "group"; readonly number: number; readonly body: Plain }
  | {
      readonly kind: "repeat";
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
      readonly body: Plain;
    }
  | { readonly kind: "look"; readonly behind: boolean; readonly negate: boolean; readonly body: Plain }
  | { readonly kind: "assertion"; readonly what: PlainAssertion };

export type PlainAssertion = Exclude<
  Assertion,
  "search-start" | "grapheme-boundary" | "no-grapheme-boundary"
>;
