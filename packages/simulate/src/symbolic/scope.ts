import type { Definition, Expression } from "@configc/jq";
import type { Value } from "./value.ts";

/** Names that are bound at a place of a program. */
export interface Scope {
  readonly variables: ReadonlyMap<string, Value>;
  readonly functions: ReadonlyMap<string, Closure>;
  readonly depth: number;
}

/** A definition or an argument, with the names that are bound where it stands. */
interface Closure {
  readonly body: Expression;
  readonly parameters: Definition["parameters"];
  readonly scope: Scope;
}

/** No names at all. */
export const outermost: Scope = { variables: new Map(), functions: new Map(), depth: 0 };

/** A definition where it stands. */
export function closureOf(definition: Definition, scope: Scope): Closure {
  return { body: definition.body, parameters: definition.parameters, scope };
}

/** By what a function is known: jq tells them apart by the number of their parameters. */
export function signature(name: string, parameters: number): string {
  return `${name}/${parameters}`;
}
