import type { Assertion } from "../syntax/tree.ts";
import type { CharacterTest } from "./character-tests.ts";

/**
 * An instruction of the matcher. Targets are indexes of instructions. `memo` numbers those whose outcome depends on nothing but
 * the place in the text; it is -1 for others.
 */
export type Instruction =
  | { readonly op: "character"; readonly code: number }
  | { readonly op: "set"; readonly test: CharacterTest }
  | { readonly op: "folded"; readonly text: string }
  /** A single character, repeated: the common loop, with one entry on the stack. */
  | {
      readonly op: "run";
      readonly test: CharacterTest;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
      readonly memo: number;
    }
  | { op: "split"; first: number; second: number; readonly memo: number }
  | { op: "jump"; to: number }
  | { readonly op: "save"; readonly slot: number }
  /** A group that is referred to: it has no text while it is open, and each call of it has a start of its own. */
  | { readonly op: "open" | "close"; readonly group: number; readonly loop: number }
  /** Starts a loop: no rounds yet. */
  | { readonly op: "begin-loop"; readonly loop: number }
  /** Before a round: another one, or on behind the loop. */
  | {
      readonly op: "loop";
      readonly loop: number;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
      readonly round: number;
      exit: number;
      readonly memo: number;
    }
  /** Counts a round. */
  | { readonly op: "round"; readonly loop: number }
  /** What the part up to `end` can match is tried on its own; nothing inside it is tried again. */
  | { readonly op: "atomic"; readonly body: number; readonly end: number }
  | {
      readonly op: "look";
      readonly behind: boolean;
      readonly negate: boolean;
      readonly length: number;
      readonly body: number;
      readonly end: number;
    }
  | { readonly op: "absence"; readonly body: number; readonly end: number }
  | { readonly op: "backreference"; readonly groups: readonly number[]; readonly ignoreCase: boolean }
  | { readonly op: "call"; group: number }
  | { readonly op: "return" }
  | { op: "condition"; readonly groups: readonly number[]; no: number }
  /** What its body matches is taken, or it goes on elsewhere. */
  | { readonly op: "attempt"; readonly body: number; readonly end: number; no: number }
  | { readonly op: "keep" }
  | { readonly op: "grapheme" }
  | { readonly op: "assert"; readonly what: Assertion }
  | { readonly op: "fail" }
  | { readonly op: "match" };

export type Operation<Op extends Instruction["op"]> = Extract<Instruction, { op: Op }>;

export interface Program {
  readonly code: readonly Instruction[];
  /** Start of each called group, by number. */
  readonly entries: readonly number[];
  readonly loops: number;
  /** How many instructions can be remembered by their `memo`. */
  readonly memos: number;
  /** What a match can begin with, if that is known. */
  readonly first: CharacterTest | undefined;
  /** Matches begin at the start of the text only. */
  readonly anchored: boolean;
  readonly names: readonly (string | undefined)[];
}
