import type { CustomFunctions } from "../custom-functions.ts";
import type { Resolution } from "../resolve/resolve.ts";
import type { Expression, Pattern, Variable } from "../syntax-tree.ts";
import type { Scope } from "./environment.ts";
import type { Flow } from "./flow.ts";
import type { Reports } from "./reports.ts";
import type { Type } from "./type.ts";

/** A scope with the variables of patterns, and how often what follows is evaluated. */
export interface Bound {
  readonly scope: Scope;
  /** Its type is `never` if no value fits the patterns. */
  readonly flow: Flow;
}

/** What the parts of the inference need of each other. */
export interface Context {
  readonly resolution: Resolution;
  readonly reports: Reports;
  readonly functions: CustomFunctions;
  /** What an expression gives for an input. */
  flow(node: Expression, input: Type, scope: Scope): Flow;
  variable(node: Variable, scope: Scope): Type;
  bind(patterns: readonly Pattern[], value: Type, input: Type, scope: Scope): Bound;
}
