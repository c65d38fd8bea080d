import type { AppCommand } from "@configc/compiler";
import type { Json } from "@configc/jq";
import type { Step } from "./step.ts";

/** The step, told to whoever listens: its input when it begins, its output or failure when it ends. */
export function traced(command: AppCommand, step: Step): Step {
  const { key, pointer } = command;
  return (input, frame) => {
    const { tracer } = frame;
    if (!tracer.listening) return step(input, frame);
    const span = tracer.event(frame.span, pointer, "step", { key, input });
    const ended = (output: Json): Json => {
      tracer.event(span, pointer, "end", { output });
      return output;
    };
    const failed = (error: unknown): never => {
      tracer.event(span, pointer, "end", { error });
      throw error;
    };
    let output: Json | Promise<Json>;
    try {
      output = step(input, { ...frame, span });
    } catch (error) {
      return failed(error);
    }
    return output instanceof Promise ? output.then(ended, failed) : ended(output);
  };
}
