import type { Definition, Expression } from "../syntax-tree.ts";

/**
 * A program that was parsed and checked: plain JSON, which `load` of `@configc/jq/run` runs without a parser. It is for the
 * same version of the package.
 */
export interface PreparedProgram {
  readonly version: 1;
  readonly body: Expression;
  /** What it calls of the builtins that are written in jq, by `name/arity`. */
  readonly definitions: Readonly<Record<string, Definition>>;
  /** What it may call of those that aren't. */
  readonly calls: readonly string[];
  readonly variables: readonly string[];
  readonly exact: boolean;
}
