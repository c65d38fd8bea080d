import type { Expression, Stage } from "../syntax-tree.ts";
import { times } from "./cardinality.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./environment.ts";
import { type Flow, one, piped } from "./flow.ts";
import { narrow } from "./narrow.ts";
import type { Type } from "./type.ts";

/** `first | second | …`: each stage is inferred for what the one before it gives, in the scope it leaves. */
export function pipeline(stages: readonly Stage[], input: Type, scope: Scope, context: Context): Flow {
  let result = one(input);
  let inner = scope;
  let mayBreak = false;
  for (const stage of stages) {
    switch (stage.kind) {
      case "Definition":
        inner = { key: stage, parent: inner };
        break;
      case "Label":
        mayBreak = true;
        // A break may end the stream before the first output.
        result = { ...result, cardinality: times(result.cardinality, "maybe") };
        break;
      case "Binding": {
        const { type } = result;
        if (type.kind === "never") break;
        const isCaught = stage.patterns.length > 1;
        const source = context.flow(stage.source, type, inner);
        const bound = context.bind(stage.patterns, source.type, type, inner);
        inner = bound.scope;
        const count = isCaught ? times(source.cardinality, "unknown") : source.cardinality;
        const flow = piped({ ...source, cardinality: count }, bound.flow);
        result = piped(result, flow.type.kind === "never" ? flow : { ...flow, type });
        if (isCaught) {
          const rest = stages.slice(stages.indexOf(stage) + 1);
          const { type: from } = result;
          const after = context.reports.caught(() => pipeline(rest, from, inner, context));
          return { ...piped(result, after), fails: false };
        }
        break;
      }
      default: {
        const { type } = result;
        result = piped(result, context.flow(stage, type, inner));
        inner = selected(stage, type, inner, context);
      }
    }
  }
  if (!mayBreak) return result;
  // Where it breaks out of a stream, as behind the first output that fits, nothing says how many come before.
  return {
    ...result,
    cardinality: result.cardinality === "many" ? "unknown" : result.cardinality,
    fails: false,
  };
}

/** Behind `select(…)` more is known of variables, too. */
function selected(stage: Expression, input: Type, scope: Scope, context: Context): Scope {
  if (stage.kind !== "Call" || stage.name.text !== "select" || stage.arguments.length !== 1) return scope;
  if (context.resolution.functions.has(stage)) return scope;
  return narrow(stage.arguments[0]!, { input, scope }, true, context).scope;
}
