import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { ObjectNode } from "../../../parse/syntax-tree.ts";
import { allIn } from "../workflow/commands.ts";

/** The verification of a webhook, with all commands in it; undefined where there is none, or not all of it can be read. */
export function verificationOf(
  intake: IntakeSymbol,
  model: Model,
): { readonly root: Command; readonly all: readonly Command[] } | undefined {
  const root = intake.type === "webhook" ? intake.commands.get("verification") : undefined;
  const all = root === undefined ? undefined : allIn(root);
  return root === undefined || all === undefined || !isReadable(intake, model) ? undefined : { root, all };
}

/** The body of the only request of a command. */
export function onlyBody(command: Command): ObjectNode | undefined {
  const [request, ...others] = allIn(command)?.filter(({ key }) => key === "!http") ?? [];
  const body = request?.argument?.kind === "object" ? request.argument.get("body") : undefined;
  return others.length === 0 && body?.kind === "object" ? body : undefined;
}
