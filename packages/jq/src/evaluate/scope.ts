import type { Definition } from "../syntax-tree.ts";
import type { Body } from "./body.ts";

/** What names mean while compiling; `depth` counts the environments that a run has at this place. */
export interface Scope {
  readonly entry: ScopeEntry;
  readonly depth: number;
  readonly parent: Scope | undefined;
}

export type ScopeEntry =
  | { readonly kind: "variable" | "label" | "parameter"; readonly name: string }
  | {
      readonly kind: "function";
      readonly name: string;
      readonly arity: number;
      readonly definition: Definition;
      readonly body: Body;
    };

export function depthOf(scope: Scope | undefined): number {
  return scope?.depth ?? 1;
}

/** Whether names mean the same in both, which may have been made anew for the same place of a program. */
export function isSameScope(one: Scope | undefined, other: Scope | undefined): boolean {
  let [a, b] = [one, other];
  for (; a !== b; a = a.parent, b = b.parent) {
    if (a === undefined || b === undefined || a.depth !== b.depth) return false;
    const isSame =
      a.entry.kind === "function"
        ? b.entry.kind === "function" && a.entry.definition === b.entry.definition
        : a.entry.kind === b.entry.kind && a.entry.name === b.entry.name;
    if (!isSame) return false;
  }
  return true;
}

/** Adds a variable, label or parameter: one environment more. */
export function withName(
  scope: Scope | undefined,
  kind: "variable" | "label" | "parameter",
  name: string,
): Scope {
  return { entry: { kind, name }, depth: depthOf(scope) + 1, parent: scope };
}

/** How many environments out a variable or label is; undefined if there is none of that name. */
export function distance(
  scope: Scope | undefined,
  kind: "variable" | "label",
  name: string,
): number | undefined {
  for (let at = scope; at !== undefined; at = at.parent) {
    if (at.entry.kind === kind && at.entry.name === name) return depthOf(scope) - at.depth;
  }
  return undefined;
}

/** The definition or parameter that a call means. */
export function findFunction(scope: Scope | undefined, name: string, arity: number): Scope | undefined {
  for (let at = scope; at !== undefined; at = at.parent) {
    const { entry } = at;
    if (entry.kind === "function" && entry.name === name && entry.arity === arity) return at;
    if (entry.kind === "parameter" && arity === 0 && entry.name === name) return at;
  }
  return undefined;
}
