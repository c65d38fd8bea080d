import type { MapSymbol, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import { mayLackMember } from "../../../bind/incomplete-object.ts";
import type { Model } from "../../../bind/model.ts";
import { optionsOf, sides } from "../mapping/options.ts";

/** Whether the app certainly defines no objects. */
export const lacksObjects = derived(({ document }: Model): boolean => {
  const { root } = document;
  if (root?.kind !== "object" || mayLackMember(document, "objects")) return false;
  const objects = root.member("objects");
  return objects === undefined || (objects.value?.kind === "array" && objects.value.items.length === 0);
});

/**
 * The custom-object workflows: those of an app with `objects` and a map group with `schemaId` (D42). A workflow whose options
 * come from a command may be one.
 */
export const customObjectWorkflows = derived((model: Model): ReadonlySet<WorkflowSymbol> => {
  if (lacksObjects(model)) return new Set();
  return new Set(
    model.workflows.filter(({ maps }) => maps.length === 0 || maps.some((map) => mayHaveSchema(map, model))),
  );
});

function mayHaveSchema(map: MapSymbol, model: Model): boolean {
  return sides.some((side) => {
    const options = optionsOf(map, side, model);
    return options?.list === undefined || options.list.some(({ schema }) => schema !== undefined);
  });
}
