import type { If, Try } from "../syntax-tree.ts";
import { either, times } from "./cardinality.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./environment.ts";
import { caughtFlow, eitherFlow, type Flow, one, piped } from "./flow.ts";
import { narrow } from "./narrow.ts";
import { truthy } from "./operations.ts";
import { never, type Type, union, unknown } from "./type.ts";

/** The control structures whose parts are evaluated or not: conditionals, and what catches failures. */

/** `if … then … elif … else … end`: each part knows what the conditions before it tell. */
export function conditional({ branches, otherwise }: If, input: Type, scope: Scope, context: Context): Flow {
  let known = { input, scope };
  const tests: Flow[] = [];
  const bodies: Flow[] = [];
  for (const { condition, body } of branches) {
    if (known.input.kind === "never") break;
    const test = context.flow(condition, known.input, known.scope);
    tests.push(test);
    if (test.type.kind === "never") {
      known = { ...known, input: never };
      break;
    }
    const mayBeTrue = test.type.kind === "unknown" || truthy(test.type).kind !== "never";
    const mayBeFalse = test.type.kind === "unknown" || truthy(test.type) !== test.type;
    const then = mayBeTrue ? narrow(condition, known, true, context) : { ...known, input: never };
    const rest = mayBeFalse ? narrow(condition, known, false, context) : { ...known, input: never };
    if (then.input.kind !== "never") bodies.push(context.flow(body, then.input, then.scope));
    known = rest;
  }
  if (known.input.kind !== "never") {
    bodies.push(
      otherwise === undefined ? one(known.input) : context.flow(otherwise, known.input, known.scope),
    );
  }
  const [first, ...others] = tests as [Flow, ...Flow[]];
  if (bodies.length === 0) return { ...first, type: never, cardinality: "none" };
  const branch = bodies.reduce(eitherFlow);
  const cardinality = others.reduce(
    (all, test) => times(all, test.fails ? "one" : either("one", test.cardinality)),
    first.cardinality,
  );
  return piped({ type: unknown, cardinality, fails: first.fails }, branch);
}

/** `try … catch …` */
export function attempt({ body, handler }: Try, input: Type, scope: Scope, context: Context): Flow {
  const tried = context.reports.tried(() => context.flow(body, input, scope));
  if (handler === undefined) return caughtFlow(tried);
  // The error's value may be anything.
  const caught = context.flow(handler, unknown, scope);
  const cardinality =
    tried.cardinality === "none" && tried.fails
      ? caught.cardinality
      : either(tried.cardinality, caught.cardinality);
  // What came before a failure stays: at most one output if the body gives at most one.
  return {
    type: union(tried.type, caught.type),
    cardinality,
    fails: tried.fails && tried.cardinality === "none" && caught.fails,
  };
}
