import type { Expression } from "@configc/jq";
import type { Command, IntakeSymbol } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { bare } from "../nodes.ts";
import { outcomesOf } from "../protocol/state-writes.ts";
import { isResult } from "../result.ts";

/*
 * What of an intake's `request` needn't run to tell what it sends, and what becomes of the state.
 */

/** The commands that run behind the last request that a command sends: nothing of what they give is sent. */
export function behindRequests(command: Command | undefined): readonly Command[] {
  if (command === undefined || command.key === "!http") return [];
  if (!sends(command)) return [command];
  const { key, children } = command;
  if (key !== "!pipe") return children.flatMap(behindRequests);
  const last = children.findLastIndex((child) => child !== undefined && sends(child));
  return [...behindRequests(children[last]), ...children.slice(last + 1)].filter(
    (each) => each !== undefined,
  );
}

const sends = ({ key, children }: Command): boolean =>
  key === "!http" || children.some((child) => child !== undefined && sends(child));

/** Where `request` makes lists for its `results`: half of the work is in them, and nothing else comes of it. */
export function resultsMade(intake: IntakeSymbol, model: Model): readonly Expression[] {
  const request = intake.commands.get("request");
  const outcomes = (request === undefined ? undefined : outcomesOf(request, model)) ?? [];
  return outcomes.flatMap(({ program, members }) => {
    const results = members.get("results");
    // Without a value there is no object, so it has to be certain that there is one.
    return results !== undefined && bare(results).kind === "Array" && isResult(program.command)
      ? [results]
      : [];
  });
}
