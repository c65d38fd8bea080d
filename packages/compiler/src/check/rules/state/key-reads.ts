import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { derivedOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { flowOf } from "../../../flow/flow.ts";
import { savedStates } from "../../../flow/polling-state.ts";
import type { TypeFlow } from "../../../flow/type-flow.ts";
import type { StringPart } from "../../../parse/document.ts";

/**
 * An expansion `${polling_state.KEY}` without a default: it fails where the key isn't there (D9).
 *
 * The case of a `!switch` may run only where the key is there (`if ${polling_state.page} == 1 then 0 else 1 end`). What is read in
 * one counts if the key is there from the start, for then nothing has to be chosen by it.
 */
export interface KeyRead {
  readonly key: string;
  readonly at: StringPart;
  /** The lifecycle command around it: `request`, `post_poll` … */
  readonly command: Command;
}

/** The keys of an intake's state that its commands must find there, with where they are read. */
export const keyReads: (intake: IntakeSymbol, model: Model) => ReadonlyMap<string, readonly KeyRead[]> =
  derivedOf((intake, model) => {
    const found = new Map<string, KeyRead[]>();
    if (intake.type !== "polling") return found;
    for (const { root, rootExact, syntax, node, command, unit } of partOfUnit(intake, model).expansions) {
      const segment = syntax.path[1];
      if (root !== "polling_state" || !rootExact || syntax.problem !== undefined || segment === undefined)
        continue;
      if (command === undefined || unit !== intake || syntax.filters.length > 0) continue;
      const { text: key, start, end } = segment;
      if (isCase(command) && !isSetAtStart(key, intake, flowOf(model))) continue;
      const read: KeyRead = { key, at: { node, from: start, to: end }, command: outermostCommand(command) };
      found.set(key, [...(found.get(key) ?? []), read]);
    }
    return found;
  });

/** Whether a command is a case of a `!switch`, or within one. */
function isCase(command: Command): boolean {
  for (let at = command.parent; at !== undefined; at = at.parent) if (at.key === "!switch") return true;
  return false;
}

/** Whether a command that runs before the first request certainly sets a key. */
function isSetAtStart(key: string, { commands }: IntakeSymbol, flow: TypeFlow): boolean {
  return ["initial_setup", "pre_poll"].some((name) => {
    const states = savedStates(flow.output(commands.get(name)));
    return (
      states.length > 0 &&
      states.every((state) => state.kind === "object" && state.members.get(key)?.optional === false)
    );
  });
}
