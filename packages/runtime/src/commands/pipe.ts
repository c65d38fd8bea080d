import type { AppCommand, CommandId } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { abortError } from "../errors.ts";
import type { Step } from "../step.ts";
import { failingStep } from "./failing-step.ts";
import type { CompileContext } from "./step-compiler.ts";

/** D14: every step counts; index 0 is the pipe's input. An empty pipe is the identity (D16). */
export function makePipe(command: AppCommand, making: CompileContext): Step {
  const steps = childSteps(command, making);
  return async (input, frame) => {
    const piped: Json[] = [input];
    const inner = { ...frame, piped };
    let value = input;
    for (const run of steps) {
      if (frame.signal.aborted) throw abortError(frame.signal, command);
      value = await run(value, inner);
      piped.push(value);
    }
    return value;
  };
}

/** The closures of the commands in a command; one that isn't a command fails when it is reached. */
export function childSteps(command: AppCommand, { step }: CompileContext): Step[] {
  return (command.children ?? []).map((id: CommandId | null, index) =>
    id === null ? failingStep(command, `number ${index + 1} in it isn't a command`) : step(id),
  );
}
