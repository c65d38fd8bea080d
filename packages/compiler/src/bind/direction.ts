import { nearest } from "@configc/jq/internal";
import type { Direction } from "../language/index.ts";
import { memberValue } from "../parse/member-value.ts";
import { type JsonNode, type ObjectNode, textOf } from "../parse/syntax-tree.ts";

const directions: ReadonlyMap<string, Direction> = new Map([
  ["generic", "inbound"],
  ["automations", "outbound"],
]);

/** The direction that a workflow's `type` says, or the nearest one to what it says. */
export function declaredDirection(workflow: ObjectNode): Direction | undefined {
  const type = textOf(workflow, "type");
  if (type === undefined) return undefined;
  return directions.get(type) ?? directions.get(nearest(type, directions.keys()) ?? "");
}

/**
 * The direction that a workflow is checked for: what `type` says, unless all the rest of the workflow says the contrary. Then
 * `type` is the one mistake, and the rest is checked as what it is (`design.md`, "No cascades").
 */
export function directionOf(workflow: ObjectNode): Direction | undefined {
  const declared = declaredDirection(workflow);
  if (declared === undefined) return undefined;
  const platform = { source: platformStands(workflow, "source"), target: platformStands(workflow, "target") };
  if (declared === "outbound") {
    return memberValue(workflow, "data_intake") !== undefined && platform.target && !platform.source
      ? "inbound"
      : declared;
  }
  const receives = ["data_intake", "historical_data_intake"].some(
    (name) => workflow.member(name) !== undefined,
  );
  const setup = memberValue(workflow, "setup");
  const selects = memberValue(setup, "select", "describe_selection") ?? memberValue(setup, "schedule");
  const sends = platform.source && !platform.target;
  return sends && !receives && selects === undefined ? "outbound" : declared;
}

/** Whether a resource of the platform, or its fields, stand on a side of the pipeline or of the mapping. */
function platformStands(workflow: ObjectNode, side: "source" | "target"): boolean {
  const options = memberValue(workflow, "setup", "map", `describe_${side}`, "options");
  return isResource(memberValue(workflow, "data_pipeline", side)) || isResource(options);
}

function isResource(command: JsonNode | undefined): boolean {
  if (memberValue(command, "!resource") !== undefined) return true;
  const steps = memberValue(command, "!pipe");
  return steps?.kind === "array" && steps.items.some((step) => memberValue(step, "!resource") !== undefined);
}
