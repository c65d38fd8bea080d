import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { type ResourceReference, readResource } from "../../../bind/resource.ts";
import { derivedByPart } from "../../by-part.ts";

/** A resource that a `!resource` names; `action` where it is written in the form `{action, data}`. */
export interface ResourceUse extends ResourceReference {
  readonly command: Command;
  readonly action: boolean;
}

/** Every `!resource` whose name can be read, in document order. */
export const resourceUses = derivedByPart(({ commands }, model) =>
  commands.flatMap((command) => (command.key === "!resource" ? (resourceUse(command, model) ?? []) : [])),
);

/** What a `!resource` names; undefined if that can't be read. */
export function resourceUse(command: Command, { settings }: Model): ResourceUse | undefined {
  const { argument } = command;
  const action = argument?.kind === "object";
  const node = action ? argument.get("action") : argument;
  if (node?.kind !== "string" || !node.valid || node.value === "") return undefined;
  const { text, name, nameAt, part, partAt, target, exact } = readResource(node, settings);
  return { text, name, nameAt, part, partAt, target, exact, command, action };
}
