import type { AppNode, AppProgram } from "@configc/compiler";
import { compile, JqError, type Json, type Spent } from "@configc/jq";
import { RunError } from "./errors.ts";
import { requiredGetter } from "./expansion.ts";
import { isObject } from "./json.ts";
import { type Attempt, withinMemory } from "./memory/within-memory.ts";
import type { Frame, ProgramRun } from "./step.ts";

/** A jq program as a closure. It is asynchronous only where it waits for memory. */
export type ProgramStep = (input: Json, frame: Frame) => Json | Promise<Json>;

/**
 * Makes the closure of a jq program: the first output, and `null` if there is none (D23). Expansions are values bound to
 * holes, never program text (D10). The clock and its zone are the runtime's, the budget that of
 * the limits and of the process's memory (E44). Numbers keep their digits.
 *
 * @param place of the command that has the program
 */
export function compileProgram(program: AppProgram, place: AppNode): ProgramStep {
  const { text, holes } = program;
  const { filter, diagnostics } = compile(text, { holes, exact: true });
  const getters = holes.map((hole) => requiredGetter(hole, place));
  return (input, frame) => {
    if (filter === undefined) {
      const [first] = diagnostics;
      throw new RunError(
        "JqError",
        `The program can't run: ${first?.code ?? "it is unreadable"}. \`configc check\` says more.`,
        place,
        first === undefined ? {} : { offset: first.start },
      );
    }
    const values = getters.map((get) => get(frame));
    const { clock } = frame.effects;
    const told = (outcome: ProgramRun["outcome"]): void =>
      frame.onProgram?.({ place, program, holes: values, input, now: clock.now(), outcome });
    return withinMemory(frame, place, (memory): Attempt => {
      const spent: Spent = { memory: 0 };
      try {
        const first = filter.first(input, {
          bindings: { holes: values },
          clock: () => clock.now() / 1000,
          timeZone: clock.timeZone ?? "UTC",
          budget: { steps: frame.limits.jqSteps, milliseconds: frame.limits.jqTime, memory },
          spent,
        });
        const output = first === undefined ? null : first;
        return { output, made: spent.memory, tell: () => told({ output }) };
      } catch (error) {
        if (!(error instanceof JqError)) throw error;
        const kind = error.kind === "error" ? "JqError" : "LimitError";
        const { span, message } = error;
        const failure = kind === "JqError" ? "error" : "limit";
        return {
          error: new RunError(
            kind,
            messageOf(error, input),
            place,
            span === undefined ? {} : { offset: span.start },
          ),
          isShort: spent.memory > memory,
          tell: () => told({ failure, message }),
        };
      }
    });
  };
}

function messageOf({ message, span, kind }: JqError, input: Json): string {
  const at = span === undefined ? message : `${message} (at character ${span.start + 1} of the program)`;
  // What the value of an answer that is no JSON holds (D20).
  const text = isObject(input) && Object.keys(input).join() === "body" && input["body"];
  return kind === "error" && typeof text === "string"
    ? `${at}. Its input is a string: “${text.slice(0, 100)}”`
    : at;
}
