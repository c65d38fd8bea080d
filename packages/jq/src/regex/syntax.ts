/** A regular expression as a tree. Groups are numbered from 1; 0 is the whole expression. */
export type Node =
  | { readonly kind: "empty" }
  | { readonly kind: "never" }
  /** One code point. */
  | { readonly kind: "character"; readonly code: number }
  /** A text that is equal to this one when case doesn't count: its folding, and how many characters were written. */
  | { readonly kind: "folded"; readonly text: string; readonly length: number }
  /** One code point that passes a test. */
  | { readonly kind: "set"; readonly test: CharacterTest }
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

/** Whether a code point belongs to a set. */
export type CharacterTest = (code: number) => boolean;

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
