import type { ProgramHole, TriedInput } from "@configc/language-server";

/** What the worker is given. */
export interface Trial extends Omit<TriedInput, "label"> {
  readonly text: string;
  readonly holes: readonly ProgramHole[];
}

/** What came of it. */
export interface Tried {
  /** As JSON, laid out; those that are shown. */
  readonly outputs: readonly string[];
  /** How many there are; more than this many aren't looked for. */
  readonly count: number;
  readonly isAll: boolean;
  readonly failure?: { readonly message: string; readonly at?: number };
  readonly milliseconds: number;
}
