import { derived } from "../../../bind/derived.ts";
import { type MapSymbol, type Model, objectItems, type WorkflowSymbol } from "../../../bind/model.ts";

/**
 * The custom-object workflows: those of an app with `objects` and a map group with `schemaId` (D42). A workflow whose options
 * come from a command may be one.
 */
export const customObjectWorkflows = derived((model: Model): ReadonlySet<WorkflowSymbol> => {
  const { root } = model.document;
  const objects = root?.kind === "object" ? root.get("objects") : undefined;
  if (objects === undefined || (objects.kind === "array" && objects.items.length === 0)) return new Set();
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
