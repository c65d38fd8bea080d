import { types } from "@configc/jq";
import type { Command } from "../../bind/bound-nodes.ts";
import type { TypeFlow } from "../type-flow.ts";

/** The cases of a `!switch` that its program may choose; undefined where that isn't known. */
export function reachableCases({ program }: Command, flow: TypeFlow): ReadonlySet<number> | undefined {
  if (program === undefined || program.diagnostics.length > 0) return undefined;
  const chosen = new Set<number>();
  for (const part of types.partsOf(flow.program(program).type)) {
    // Anything else than a number fails, and is a finding of its own.
    if (part.kind === "unknown" || (part.kind === "number" && part.value === undefined)) return undefined;
    if (part.kind === "number" && part.value !== undefined) chosen.add(part.value);
  }
  return chosen;
}
