import type { Definition, Expression } from "../syntax-tree.ts";
import type { Code } from "./combinators.ts";
import type { Library } from "./library.ts";
import type { LazyCode, RunPaths, StepInPlace } from "./machine.ts";

/** What names mean while compiling. */
export interface Scope {
  readonly entry: ScopeEntry;
  /** Environments that a run has at this place. */
  readonly depth: number;
  /** Parameters around this place. */
  readonly parameters: number;
  readonly parent: Scope | undefined;
  readonly compiler: Compiler;
}

export type ScopeEntry =
  | { readonly kind: "outermost"; readonly name: "" }
  | { readonly kind: "variable" | "label"; readonly name: string }
  | {
      readonly kind: "parameter";
      readonly name: string;
      /** Whether all that is passed for it here has exactly one output. */
      readonly isSingle: boolean;
    }
  | {
      readonly kind: "function";
      readonly name: string;
      readonly arity: number;
      readonly definition: Definition;
      readonly body: Body;
      /** The body for calls whose arguments have exactly one output each; undefined if it has no functions as parameters. */
      readonly withSingles?: Body | undefined;
      /** Of another module, where names may mean something else. */
      readonly isImported?: true;
    };

/** How many outputs an expression may have: 0 for any number, 1 for at most one, 2 for exactly one. */
export type Outputs = 0 | 1 | 2;

/** The body of a definition. */
export interface Body extends LazyCode {
  /** Does nothing if it was compiled, or is being compiled. */
  compile(): void;
  /** Whether nobody has compiled it yet. */
  readonly isNew: boolean;
  /** How many definitions call each other within it at most, one the other; 0 while it is being compiled. */
  readonly levels: number;
  /** What is known; while it is being compiled, what is assumed. */
  readonly outputs: Outputs;
}

/** What compiles an expression of any kind; see `compiler.ts`. */
interface Compiler {
  /** What calls mean that the program doesn't define. */
  readonly functions: Library;
  expression(node: Expression, scope: Scope): Code;
  paths(node: Expression, scope: Scope): RunPaths;
  inPlace(step: Expression, scope: Scope): StepInPlace | undefined;
}

/** The scope around a program, or around a definition of the prelude: it has no names. */
export function outermostScope(compiler: Compiler): Scope {
  return { entry: { kind: "outermost", name: "" }, depth: 1, parameters: 0, parent: undefined, compiler };
}

/** Whether names mean the same in both, which may have been made anew for the same place of a program. */
export function isSameScope(one: Scope, other: Scope): boolean {
  let [a, b]: (Scope | undefined)[] = [one, other];
  for (; a !== b; a = a.parent, b = b.parent) {
    if (a === undefined || b === undefined || a.depth !== b.depth) return false;
    const isSame =
      a.entry.kind === "function"
        ? b.entry.kind === "function" && a.entry.definition === b.entry.definition
        : a.entry.kind === b.entry.kind && a.entry.name === b.entry.name && isSingle(a) === isSingle(b);
    if (!isSame) return false;
  }
  return true;
}

/** Whether a scope's name is a parameter that stands for what has exactly one output. */
export function isSingle({ entry }: Scope): boolean {
  return entry.kind === "parameter" && entry.isSingle;
}

/** Adds a variable or label: one environment more. */
export function withName(scope: Scope, kind: "variable" | "label", name: string): Scope {
  return withEnvironment(scope, { kind, name });
}

/** Adds a parameter: one environment more. */
export function withParameter(scope: Scope, name: string, isSingle: boolean): Scope {
  return withEnvironment(scope, { kind: "parameter", name, isSingle });
}

function withEnvironment(scope: Scope, entry: ScopeEntry): Scope {
  const { depth, parameters, compiler } = scope;
  return {
    entry,
    depth: depth + 1,
    parameters: parameters + (entry.kind === "parameter" ? 1 : 0),
    parent: scope,
    compiler,
  };
}

/** How many environments out a variable or label is; undefined if there is none of that name. */
export function distance(scope: Scope, kind: "variable" | "label", name: string): number | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    if (at.entry.kind === kind && at.entry.name === name) return scope.depth - at.depth;
  }
  return undefined;
}

/** The definition or parameter that a call means. */
export function findFunction(scope: Scope, name: string, arity: number): Scope | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const { entry } = at;
    if (entry.kind === "function" && entry.name === name && entry.arity === arity) return at;
    if (entry.kind === "parameter" && arity === 0 && entry.name === name) return at;
  }
  return undefined;
}
