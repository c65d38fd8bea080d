import type { WorkflowSymbol } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { flowOf } from "../flow/flow.ts";
import type { MemberNode } from "../parse/syntax-tree.ts";
import { objectItems, textOf } from "../parse/syntax-tree.ts";
import { detailsOf } from "./commands.ts";

/** The two sides of a map step, a line each: "from GET /forms/{form}", "to PlatformContact.fields". */
export function mapDetails({ maps: [map] }: WorkflowSymbol, model: Model): string[] {
  return (["source", "target"] as const).flatMap((side) => {
    const describe = map?.node.get(`describe_${side}`);
    const options = describe?.kind === "object" ? describe.get("options") : undefined;
    const word = side === "source" ? "from" : "to";
    if (options?.kind === "array") {
      const count = options.items.length;
      return [`${word} ${count} ${count === 1 ? "field" : "fields"}`];
    }
    const command = flowOf(model).commandAt(options);
    return command === undefined ? [] : detailsOf(model, command).map((line) => `${word} ${line}`);
  });
}

/** How often a schedule imports: "recurring, every 30 min". */
export function scheduleDetails({ name, value }: MemberNode): string[] {
  if (name !== "schedule" || value?.kind !== "object") return [];
  const types = objectItems(value.get("import_options")).flatMap((option) => textOf(option, "type") ?? []);
  const frequency = value.get("frequency");
  const every = frequency?.kind === "number" ? [`every ${Math.round(frequency.value / 60)} min`] : [];
  return [[types.join(" or "), ...every].filter((part) => part !== "").join(", ")];
}
