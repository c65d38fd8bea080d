import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";

/**
 * Whether an intake can be looked at as a machine: nothing in it is broken or out of place. While it is, what a command seems to
 * lack may just not have been understood.
 */
export function isReadable(intake: IntakeSymbol, { parts }: Model): boolean {
  const part = parts.find(({ intakes }) => intakes.includes(intake));
  return part?.item?.sound === true && part.structure.length === 0;
}
