import { derived } from "../../../bind/derived.ts";
import { mayHaveLostMembers } from "../../../bind/lost-members.ts";
import { type MapSymbol, type Model, objectItems, type WorkflowSymbol } from "../../../bind/model.ts";

/** Whether the app certainly defines no objects. */
export const lacksObjects = derived(({ document }: Model): boolean => {
  const { root } = document;
  if (root?.kind !== "object" || mayHaveLostMembers(document, root)) return false;
  const objects = root.member("objects");
  return objects === undefined || (objects.value?.kind === "array" && objects.value.items.length === 0);
});

/**
 * The custom-object workflows: those of an app with `objects` and a map group with `schemaId` (D42). A workflow whose options
 * come from a command may be one.
 */
export const customObjectWorkflows = derived((model: Model): ReadonlySet<WorkflowSymbol> => {
  if (lacksObjects(model)) return new Set();
  return new Set(model.workflows.filter(({ maps }) => maps.length === 0 || maps.some(mayHaveSchema)));
});

function mayHaveSchema({ node }: MapSymbol): boolean {
  return ["describe_source", "describe_target"].some((side) => {
    const describe = node.get(side);
    const options = describe?.kind === "object" ? describe.get("options") : undefined;
    if (options?.kind !== "array") return true;
    return objectItems(options).some((option) => option.member("schemaId") !== undefined);
  });
}
