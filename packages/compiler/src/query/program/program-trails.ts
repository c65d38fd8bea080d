import { type Expression, nodesAt } from "@configc/jq";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { flowOf } from "../../flow/flow.ts";
import { type Trail, trailsOf } from "../../flow/origin.ts";
import { stepsOf } from "../../flow/value-path.ts";

/**
 * The way back from what stands at an offset of a program: the innermost expression that reads a value, or a path up to the step
 * at the offset.
 */
export function programTrails(model: Model, program: JqProgram, offset: number): readonly Trail[] {
  const node = nodesAt(program.tree, offset).findLast(({ kind }) => traced.has(kind)) as
    | Expression
    | undefined;
  if (node === undefined) return [];
  const flow = flowOf(model);
  if (node.kind !== "Postfix") return trailsOf(flow, program, node);
  const last = node.suffixes.findIndex(({ end }) => offset <= end);
  const path = stepsOf(node.suffixes.slice(0, last === -1 ? undefined : last + 1));
  return path === undefined ? [] : trailsOf(flow, program, node.head, path);
}

/** Expressions that read a value that is there already; others make theirs on the spot. */
const traced: ReadonlySet<string> = new Set(["Postfix", "Identity", "Variable", "Hole"]);
