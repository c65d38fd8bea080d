import type { Definition, Expression, Parameter, VariablePattern } from "../syntax-tree.ts";
import type { Type } from "./type.ts";

/** An argument that is evaluated where the parameter is used, with what was in scope at the call. */
export interface Closure {
  readonly node: Expression;
  readonly scope: Scope;
}

/** The values of variables and parameters, innermost first. */
export interface Environment {
  readonly key: VariablePattern | Parameter | Definition;
  /** What a variable holds. */
  readonly type?: Type;
  /** What a parameter stands for where it is called; without it, anything. */
  readonly closure?: Closure;
  readonly parent: Scope;
}
export type Scope = Environment | undefined;
