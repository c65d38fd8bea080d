/** A regular expression as a tree. Groups are numbered from 1; 0 is the whole expression. */
export type Node =
  | { readonly kind: "empty" }
  | { readonly kind: "never" }
  /** One code point. */
  | { readonly kind: "character"; readonly code: number }
  /** A text that is equal to these code points when case doesn't count. */
  | { readonly kind: "folded"; readonly codes: readonly number[] }
  /** One code point of a set. */
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly items: readonly Node[] }
  | { readonly kind: "alternatives"; readonly items: readonly Node[] }
  | { readonly kind: "group"; readonly number: number; readonly body: Node }
  | {
      readonly kind: "repeat";
      readonly min: number;
      readonly max: number;
      readonly mode: "greedy" | "lazy" | "possessive";
      readonly body: Node;
    }
  | {
      readonly kind: "look";
      readonly behind: boolean;
      readonly negate: boolean;
      /** How many characters to go back. */
      readonly length: number;
      readonly body: Node;
    }
  | { readonly kind: "atomic"; readonly body: Node }
  /** The text of one of these groups; the last one that fits. */
  | {
      readonly kind: "backreference";
      readonly groups: readonly number[];
      readonly ignoreCase: boolean;
      /** The group, where it is only one and was written before. */
      readonly target: Node | undefined;
    }
  /** Matches like the group again, also inside itself. */
  | { readonly kind: "call"; readonly group: number }
  /** Whether one of these groups took part, or whether a pattern matches, decides. */
  | {
      readonly kind: "condition";
      readonly test: readonly number[] | Node;
      readonly yes: Node;
      readonly no: Node;
    }
  /** The longest text without what the body matches. */
  | { readonly kind: "absence"; readonly body: Node }
  /** What was matched so far isn't part of the match. */
  | { readonly kind: "keep" }
  | { readonly kind: "grapheme" }
  | { readonly kind: "assertion"; readonly what: Assertion };

export type Assertion =
  | "text-start"
  | "text-end"
  | "text-end-or-newline"
  | "line-start"
  | "line-end"
  | "search-start"
  | "word-boundary"
  | "no-word-boundary"
  | "grapheme-boundary"
  | "no-grapheme-boundary";

/** Code points, by how the pattern says which. */
export type PlainSet =
  /** All from one to another. */
  | { readonly kind: "range"; readonly from: number; readonly to: number }
  /** Those of a Unicode property, or of several: what JavaScript writes between the brackets of a class. */
  | { readonly kind: "property"; readonly source: string }
  | { readonly kind: "union"; readonly of: readonly PlainSet[] }
  | { readonly kind: "not"; readonly of: PlainSet };

export type CharacterSet =
  | PlainSet
  /** And all that are equal to one of these when case doesn't count. */
  | { readonly kind: "cases"; readonly of: PlainSet }
  | { readonly kind: "not"; readonly of: CharacterSet };

export interface Regex {
  readonly body: Node;
  /** By number; the first is of the whole expression. */
  readonly groups: readonly Node[];
  /** What was captured, or called, decides what matches. */
  readonly usesGroups: boolean;
  /** Names of the groups from 1 on. */
  readonly names: readonly (string | undefined)[];
}

/** A pattern that isn't a regular expression. */
export class RegexError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RegexError";
  }
}
