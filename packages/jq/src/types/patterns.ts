import type { Pattern } from "../syntax-tree.ts";
import { times } from "./cardinality.ts";
import type { Bound, Context } from "./context.ts";
import type { Scope } from "./environment.ts";
import { type Flow, none, one, piped } from "./flow.ts";
import { indexOf } from "./operations.ts";
import { literal, number, type Type, unknown } from "./type.ts";

/** Binds the variables of patterns. With alternatives (`?//`) one may also be null, or come from another pattern. */
export function bindPatterns(
  patterns: readonly Pattern[],
  value: Type,
  input: Type,
  scope: Scope,
  context: Context,
): Bound {
  if (patterns.length === 1) return bind(patterns[0]!, value, input, scope, context);
  let inner = scope;
  context.reports.caught(() => {
    for (const pattern of patterns) inner = bind(pattern, unknown, input, inner, context).scope;
  });
  return { scope: inner, flow: { ...one(unknown), cardinality: "unknown" } };
}

function bind(pattern: Pattern, value: Type, input: Type, scope: Scope, context: Context): Bound {
  if (value.kind === "never") return { scope, flow: none };
  switch (pattern.kind) {
    case "VariablePattern":
      return { scope: { key: pattern, type: value, parent: scope }, flow: one(value) };
    case "ArrayPattern": {
      let bound: Bound = { scope, flow: one(unknown) };
      for (const item of pattern.items) {
        bound = after(bound, bind(item, indexOf(value, number), input, bound.scope, context));
      }
      return bound;
    }
    case "ObjectPattern": {
      let bound: Bound = { scope, flow: one(unknown) };
      for (const { key, pattern: below } of pattern.entries) {
        const name = keyOf(key, input, bound.scope, context);
        const member = indexOf(value, name.type);
        bound = { ...bound, flow: piped(bound.flow, { ...name, type: member }) };
        if (key.kind === "VariablePattern")
          bound = after(bound, bind(key, member, input, bound.scope, context));
        if (below !== undefined) bound = after(bound, bind(below, member, input, bound.scope, context));
      }
      return bound;
    }
  }
}

function keyOf(
  key: Extract<Pattern, { kind: "ObjectPattern" }>["entries"][number]["key"],
  input: Type,
  scope: Scope,
  context: Context,
): Flow {
  if (key.kind === "Name") return one(literal(key.text));
  return key.kind === "VariablePattern" ? one(literal(key.name)) : context.flow(key, input, scope);
}

/** Both have to fit. */
function after(first: Bound, second: Bound): Bound {
  const isNever = first.flow.type.kind === "never" || second.flow.type.kind === "never";
  return {
    scope: second.scope,
    flow: isNever
      ? none
      : { type: unknown, cardinality: times(first.flow.cardinality, second.flow.cardinality), fails: false },
  };
}
