import type { AppCommand } from "@configc/compiler";
import { RunError } from "../errors.ts";
import { isObject, ownMember } from "../json.ts";
import { valueCost } from "../memory/json-cost.ts";
import { megabytes } from "../memory/memory.ts";
import { mergedMembers } from "../saved.ts";
import type { SaveScope, Step } from "../step.ts";
import { literalText } from "./argument.ts";
import { failingStep } from "./failing-step.ts";

const scopes: readonly SaveScope[] = ["workflow", "connection", "application"];

/** D24: merges the input's members into `data.<scope>`, durable when the step ends; the output is the input. */
export function makeSave(command: AppCommand): Step {
  const written = literalText(command, "scope");
  const scope = scopes.find((known) => known === written);
  if (scope === undefined)
    return failingStep(command, "`scope` is none of `workflow`, `connection` and `application`");
  return async (input, frame) => {
    if (!isObject(input))
      throw new RunError("DataError", "!save takes an object: its members are what is saved.", command);
    const kept = ownMember(frame.saved.read(), scope) ?? {};
    const cost = valueCost(mergedMembers(kept, input), frame.limits.keptBytes);
    if (cost > frame.limits.keptBytes)
      throw new RunError(
        "LimitError",
        `More than ${megabytes(frame.limits.keptBytes)} would be saved in \`${scope}\`, the most that is kept there. Save ids or dates instead of whole lists.`,
        command,
      );
    try {
      await frame.saved.merge(scope, input);
    } catch (cause) {
      if (cause instanceof RunError) throw cause;
      throw new RunError("StoreError", `Saving in \`${scope}\` failed: ${textOfError(cause)}`, command, {
        cause,
      });
    }
    if (frame.tracer.listening)
      frame.tracer.event(frame.span, command.pointer, "note", { saved: scope, keys: Object.keys(input) });
    return input;
  };
}

export function textOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
