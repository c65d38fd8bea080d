import type { Expression } from "../syntax-tree.ts";
import type { Code } from "./combinators.ts";
import { isQuiet } from "./escape-analysis.ts";
import type { LazyCode, RunPaths, StepInPlace } from "./machine.ts";
import type { Scope } from "./scope.ts";

/*
 * An expression consists of expressions, so what compiles one kind needs what compiles all. It asks the scope's compiler, which
 * `code.ts` makes of all kinds: so no file of this folder leads back to itself.
 */

/** Compiles an expression to closures. Its last calls may be returned as `tail` for the caller to make. */
export function compileExpression(node: Expression, scope: Scope): Code {
  return scope.compiler.expression(node, scope);
}

/** Compiles an expression so that it gives, besides each output, where in the input that stands. */
export function compilePaths(node: Expression, scope: Scope): RunPaths {
  return scope.compiler.paths(node, scope);
}

/** Compiles a step of a fold so that it changes the state in place. Undefined if nothing in it could be done so. */
export function compileInPlace(step: Expression, scope: Scope): StepInPlace | undefined {
  return scope.compiler.inPlace(step, scope);
}

const none = { step: undefined };

/** An expression compiled on first use. */
export function lazily(node: Expression, scope: () => Scope): LazyCode {
  let code: Code | undefined;
  let paths: RunPaths | undefined;
  let inPlace: { readonly step: StepInPlace | undefined } | undefined;
  const compiled = (): Code => {
    code ??= compileExpression(node, scope());
    return code;
  };
  return {
    get run() {
      return compiled().run;
    },
    get single() {
      return compiled().single;
    },
    get maybe() {
      return compiled().maybe;
    },
    get loop() {
      return compiled().loop;
    },
    get endsWithCall() {
      return compiled().endsWithCall === true;
    },
    get paths() {
      paths ??= compilePaths(node, scope());
      return paths;
    },
    get inPlace() {
      // Undefined also while it is being compiled: a definition may call itself.
      if (inPlace === undefined) {
        inPlace = none;
        inPlace = { step: compileInPlace(node, scope()) };
      }
      return inPlace.step;
    },
    get isQuiet() {
      return isQuiet(node, scope());
    },
  };
}
