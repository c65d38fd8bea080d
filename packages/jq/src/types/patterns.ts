import type { Pattern } from "../syntax-tree.ts";
import { readIndex } from "./access.ts";
import type { Bound, Context } from "./context.ts";
import type { Scope } from "./environment.ts";
import { type Flow, failing, none, one, piped } from "./flow.ts";
import { literal, never, type Type, unknown } from "./type.ts";

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
      const read = (at: number): Type => readIndex(value, literal(at), pattern, context.reports).type;
      return pattern.items.reduce<Bound>(
        (bound, item, at) => after(bound, bind(item, read(at), input, bound.scope, context)),
        { scope, flow: readFlow(read(0)) },
      );
    }
    case "ObjectPattern": {
      let bound: Bound = { scope, flow: one(unknown) };
      for (const { key, pattern: below } of pattern.entries) {
        const name = keyOf(key, input, bound.scope, context);
        const { type: member } = readIndex(value, name.type, key, context.reports);
        bound = after(bound, { scope: bound.scope, flow: piped(name, readFlow(member)) });
        if (key.kind === "VariablePattern")
          bound = after(bound, bind(key, member, input, bound.scope, context));
        if (below !== undefined) bound = after(bound, bind(below, member, input, bound.scope, context));
      }
      return bound;
    }
  }
}

/** What no such key can be read of fails. */
function readFlow(type: Type): Flow {
  return type.kind === "never" ? failing : one(type);
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
  const flow = piped(first.flow, second.flow);
  return { scope: second.scope, flow: first.flow.type.kind === "never" ? { ...flow, type: never } : flow };
}
