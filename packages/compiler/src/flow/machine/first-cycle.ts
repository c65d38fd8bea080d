import type { Expression } from "@configc/jq";
import type { Command, IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import { NOW } from "./evaluate.ts";
import { stateAfter, worldOf } from "./intake-world.ts";
import { record, run } from "./run.ts";
import { UNKNOWN, type Value } from "./value.ts";

/** A part of a program that certainly fails. */
export interface FirstFailure {
  /** `pre_poll` */
  readonly step: string;
  readonly program: JqProgram;
  readonly node: Expression;
}

/** What certainly fails in the first cycle of a polling intake, whatever the service answers and the customer chose; the first failure only. */
export function failureInFirstCycle(intake: IntakeSymbol): FirstFailure | undefined {
  let state: Value = record({});
  let failed: FirstFailure | undefined;
  for (const step of ["initial_setup", "pre_poll", "request"]) {
    const command = intake.commands.get(step);
    if (command === undefined) continue;
    const world = worldOf(state, NOW, (each: Command) =>
      each.key === "!http" ? { kind: "part", path: [], source: { resolve: () => UNKNOWN } } : UNKNOWN,
    );
    const output = run(command, {
      ...world,
      onFailure(program, node) {
        failed ??= { step, program, node };
      },
    });
    if (failed !== undefined) return failed;
    state = stateAfter(output, state);
  }
  return undefined;
}
