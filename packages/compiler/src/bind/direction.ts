import { nearest } from "@configc/jq/internal";
import type { Direction } from "../language/index.ts";
import type { JsonNode, ObjectNode } from "../parse/syntax-tree.ts";
import { textOf } from "../parse/syntax-tree.ts";

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
    return get(workflow, "data_intake") !== undefined && platform.target && !platform.source
      ? "inbound"
      : declared;
  }
  const receives = ["data_intake", "historical_data_intake"].some(
    (name) => workflow.member(name) !== undefined,
  );
  const setup = get(workflow, "setup");
  const selects = get(get(setup, "select"), "describe_selection") ?? get(setup, "schedule");
  const sends = platform.source && !platform.target;
  return sends && !receives && selects === undefined ? "outbound" : declared;
}

/** Whether a resource of the platform, or its fields, stand on a side of the pipeline or of the mapping. */
function platformStands(workflow: ObjectNode, side: "source" | "target"): boolean {
  const options = get(get(get(get(workflow, "setup"), "map"), `describe_${side}`), "options");
  return isResource(get(get(workflow, "data_pipeline"), side)) || isResource(options);
}

function isResource(command: JsonNode | undefined): boolean {
  if (get(command, "!resource") !== undefined) return true;
  const steps = get(command, "!pipe");
  return steps?.kind === "array" && steps.items.some((step) => get(step, "!resource") !== undefined);
}

function get(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.kind === "object" ? node.get(name) : undefined;
}
