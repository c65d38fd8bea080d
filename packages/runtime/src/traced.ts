import type { AppCommand } from "@configc/compiler";
import type { Json } from "@configc/jq";
import type { Step } from "./step.ts";

/**
 * The step, told to whoever listens: its input when it begins, its output or failure when it ends. A debugger's tracer may put another
 * `input` or `output` into what it is told: the run goes on with that.
 */
export function traced(command: AppCommand, step: Step): Step {
  const { key, pointer } = command;
  return (input, frame) => {
    const { tracer } = frame;
    if (!tracer.listening) return step(input, frame);
    const begun = { key, input };
    const span = tracer.event(frame.span, pointer, "step", begun);
    const ended = (output: Json): Json => {
      const done = { output };
      tracer.event(span, pointer, "end", done);
      return done.output;
    };
    const failed = (error: unknown): never => {
      tracer.event(span, pointer, "end", { error });
      throw error;
    };
    let output: Json | Promise<Json>;
    try {
      output = step(begun.input, { ...frame, span });
    } catch (error) {
      return failed(error);
    }
    return output instanceof Promise ? output.then(ended, failed) : ended(output);
  };
}
