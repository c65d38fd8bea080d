import type { AppCommand } from "@configc/compiler";
import type { Step } from "../step.ts";
import { compileText } from "../template.ts";
import { templateOf } from "./argument.ts";
import { failingStep } from "./failing-step.ts";

/** D26: writes a log entry, without secrets (D29); the output is the input. */
export function makePrint(command: AppCommand): Step {
  const template = templateOf(command.argument);
  if (template === undefined) return failingStep(command, "its text isn't a string");
  const text = compileText(template, command);
  return (input, frame) => {
    const message = frame.tracer.redact(text(frame));
    frame.effects.log.write({ pointer: command.pointer, message });
    frame.tracer.event(frame.span, command.pointer, "note", { log: message });
    return input;
  };
}
