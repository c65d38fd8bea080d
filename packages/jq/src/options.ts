import type { CustomFunctions } from "./custom-functions.ts";
import type { JqDiagnostic } from "./diagnostics.ts";
import type { ModuleResolver } from "./modules/module.ts";
import type { Hole, Program } from "./syntax-tree.ts";

/** What `parse` takes besides the text. */
export interface ParseOptions {
  /**
   * Expansions in the text, ascending and disjoint (decision D10). Offsets that lie outside the text
   * or overlap an earlier hole are ignored.
   */
  readonly holes?: readonly Hole[];
}

/** A parsed program, also of a broken text, with what is wrong in it. */
export interface ParseResult {
  readonly program: Program;
  /** In source order. */
  readonly diagnostics: readonly JqDiagnostic[];
}

/** What `check` takes besides the text. */
export interface CheckOptions extends ParseOptions {
  /** Names of the variables that the caller binds, without `$`. `$ENV` and `$__loc__` are always known. */
  readonly variables?: readonly string[];
  /** Finds the modules that the program imports. Without it, a directive is a finding. */
  readonly modules?: ModuleResolver;
  /** Functions that programs can call besides jq's; modules can, too. A definition of the same name goes before. */
  readonly functions?: CustomFunctions;
}
