import type { MapSymbol, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { mayLackMember } from "../../../bind/incomplete-object.ts";
import type { Model } from "../../../bind/model.ts";
import { optionsOf, sides } from "../mapping/options.ts";

/** Whether the app certainly defines no objects. */
export function lacksObjects({ document }: Model): boolean {
  const { root } = document;
  if (root?.kind !== "object" || mayLackMember(document, "objects")) return false;
  const objects = root.member("objects");
  return objects === undefined || (objects.value?.kind === "array" && objects.value.items.length === 0);
}

/**
 * Whether a workflow may be about custom objects: the app has `objects`, and a map group `schemaId` (D42). One whose options come from a
 * command may be.
 */
export function mayBeAboutObjects({ maps }: WorkflowSymbol, model: Model): boolean {
  return !lacksObjects(model) && (maps.length === 0 || maps.some((map) => mayHaveSchema(map, model)));
}

function mayHaveSchema(map: MapSymbol, model: Model): boolean {
  return sides.some((side) => {
    const options = optionsOf(map, side, model);
    return options?.list === undefined || options.list.some(({ schema }) => schema !== undefined);
  });
}
