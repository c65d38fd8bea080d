import type { JqDiagnostic } from "./diagnostics.ts";
import type { Hole, Program } from "./syntax-tree.ts";

export interface ParseOptions {
  /**
   * Expansions in the text, ascending and disjoint (decision D10). Offsets that lie outside the text
   * or overlap an earlier hole are ignored.
   */
  readonly holes?: readonly Hole[];
}

export interface ParseResult {
  readonly program: Program;
  /** In source order. */
  readonly diagnostics: readonly JqDiagnostic[];
}

export interface CheckOptions extends ParseOptions {
  /** Names of the variables that the caller binds, without `$`. `$ENV` and `$__loc__` are always known. */
  readonly variables?: readonly string[];
}
