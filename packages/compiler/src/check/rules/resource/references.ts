import type { Command } from "../../../bind/model.ts";
import { type ResourceReference, readResource } from "../../../bind/resource.ts";
import { derivedByPart } from "../../by-part.ts";

/** A resource that a `!resource` names; `action` where it is written in the form `{action, data}`. */
export interface ResourceUse extends ResourceReference {
  readonly command: Command;
  readonly action: boolean;
}

/** Every `!resource` whose name can be read, in document order. */
export const resourceUses = derivedByPart(({ commands }, model): readonly ResourceUse[] => {
  const uses: ResourceUse[] = [];
  for (const command of commands) {
    if (command.key !== "!resource") continue;
    const { argument } = command;
    const action = argument?.kind === "object";
    const node = action ? argument.get("action") : argument;
    if (node?.kind !== "string" || !node.valid || node.value === "") continue;
    uses.push({ ...readResource(node, model.settings), command, action });
  }
  return uses;
});
