import type { Foreach, Reduce } from "../syntax-tree.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./environment.ts";
import { type Flow, failing, none, one, piped } from "./flow.ts";
import { isSubtype } from "./operations.ts";
import { never, nullType, type Type, union, unknown, widenLiterals } from "./type.ts";

/** Rounds after which a state that still grows is unknown. */
const ROUND_LIMIT = 4;

/** `reduce` and `foreach`: the state's type grows until one round more doesn't change it. */
export function fold(node: Reduce | Foreach, input: Type, scope: Scope, context: Context): Flow {
  const initial = context.flow(node.initial, input, scope);
  if (initial.type.kind === "never") return initial.fails ? failing : none;
  const source = context.flow(node.source, input, scope);
  const fails = initial.fails || (initial.cardinality === "one" && source.fails);
  if (source.type.kind === "never") {
    if (node.kind === "Foreach") return fails ? failing : none;
    // A start that fails in the end may have had outputs before, which are those of the fold.
    return initial.cardinality === "one" && source.fails ? failing : initial;
  }
  const isCaught = node.patterns.length > 1;
  const { scope: inner, flow: bound } = context.bind(node.patterns, source.type, input, scope);
  if (bound.type.kind === "never") return node.kind === "Reduce" ? { ...initial, fails } : { ...none, fails };
  let state: Type = initial.type;
  let updated: Flow;
  for (let round = 0; ; round++) {
    const run = (): Flow => context.flow(node.update, state, inner);
    updated = isCaught ? context.reports.caught(run) : run();
    // A step that fails for certain leaves no state for another.
    const made = updated.fails
      ? never
      : union(updated.type, updated.cardinality === "one" ? never : nullType);
    if (isSubtype(made, state)) break;
    const grown = widenLiterals(made);
    // What it was at first may be a case of what it becomes.
    const next: Type = isSubtype(state, grown) ? grown : widenLiterals(union(state, grown));
    state = round >= ROUND_LIMIT ? unknown : next;
  }
  const isOnce = source.cardinality === "one" && bound.cardinality === "one";
  const result = {
    fails: fails || (initial.cardinality === "one" && isOnce && updated.fails),
  };
  if (node.kind === "Reduce") return { type: state, cardinality: initial.cardinality, ...result };
  const { extract } = node;
  const emitted = updated.type;
  const read = (): Flow => context.flow(extract!, emitted, inner);
  const extracted = extract === undefined ? one(emitted) : isCaught ? context.reports.caught(read) : read();
  const each = piped({ ...updated, fails: false }, extracted);
  if (isOnce) return { type: each.type, cardinality: piped(initial, each).cardinality, ...result };
  return { type: each.type, cardinality: "many", ...result };
}
