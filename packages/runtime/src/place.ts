import type { App, CommandId } from "@configc/compiler";
import type { RunPlace } from "./step.ts";

/** Where a command stands, by its pointer. */
export function placeAt({ intakes }: App, id: CommandId): RunPlace {
  for (const { pointer, type } of intakes) if (isBelow(id, pointer)) return type;
  const [, side] = /^\/workflows\/\d+\/data_pipeline\/(source|target)(?:\/|$)/.exec(id) ?? [];
  return side === "source" || side === "target" ? side : "setup";
}

/**
 * The auth of the workflow that a command stands in, or that uses the intake it stands in.
 *
 * @param at pointer of a command, or of the workflow or the intake itself
 */
export function authAt({ intakes, workflows }: App, at: string): string | undefined {
  const isIn = (pointer: string): boolean => at === pointer || isBelow(at, pointer);
  const inside = workflows.find(({ pointer }) => isIn(pointer));
  if (inside !== undefined) return inside.auth;
  const intake = intakes.find(({ pointer }) => isIn(pointer))?.index;
  if (intake === undefined) return undefined;
  return workflows.find((workflow) => workflow.intake === intake || workflow.historicalIntake === intake)
    ?.auth;
}

function isBelow(id: CommandId, pointer: string): boolean {
  return id.startsWith(`${pointer}/`);
}
