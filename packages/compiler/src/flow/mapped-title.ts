import type { Expression } from "@configc/jq";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { takenTitles } from "./offered-titles.ts";
import { type Trail, trailsOf } from "./origin.ts";
import type { TypeFlow } from "./type-flow.ts";

/** The title of the one field of the map that an expression is, as the customer's contact has it. */
export const mappedTitle = (node: Expression, program: JqProgram, flow: TypeFlow): string | undefined =>
  titleOfTrails(trailsOf(flow, program, node), flow);

/** The same for what is known of where a value comes from. */
export function titleOfTrails(trails: readonly Trail[], flow: TypeFlow): string | undefined {
  const [trail, ...others] = trails;
  if (trail?.origin.kind !== "place" || others.length > 0) return undefined;
  const { command, path } = trail.origin;
  if (command.place.input !== "transformed" || command.unit?.kind !== "workflow") return undefined;
  // One of its own, or one in a group.
  if (path.length === 0 || path.length > 2) return undefined;
  return takenTitles(command.unit, flow.model).get(path.join("."));
}
