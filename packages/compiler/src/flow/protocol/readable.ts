import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { partOfUnit } from "../../bind/unit-part.ts";

/**
 * Whether an intake can be looked at as a machine: nothing in it is broken or out of place. While it is, what a command seems to
 * lack may just not have been understood.
 */
export function isReadable(intake: IntakeSymbol, model: Model): boolean {
  const { item, structure } = partOfUnit(intake, model);
  return item?.sound === true && structure.length === 0;
}
