import { derived } from "../../../bind/derived.ts";
import type { Command } from "../../../bind/model.ts";
import { type ResourceReference, readResource } from "../../../bind/resource.ts";

/** A resource that a `!resource` names; `action` where it is written in the form `{action, data}`. */
export interface ResourceUse extends ResourceReference {
  readonly command: Command;
  readonly action: boolean;
}

/** Every `!resource` whose name can be read, in document order. */
export const resourceUses = derived((model): readonly ResourceUse[] => {
  const uses: ResourceUse[] = [];
  for (const command of model.commands) {
    if (command.key !== "!resource") continue;
    const { argument } = command;
    const action = argument?.kind === "object";
    const node = action ? argument.get("action") : argument;
    if (node?.kind !== "string" || !node.valid || node.value === "") continue;
    uses.push({ ...readResource(node, model.settings), command, action });
  }
  return uses;
});
