import type { Type } from "@configc/jq";
import type { Command, IntakeSymbol, JqProgram } from "../bind/bound-nodes.ts";
import type { InferredProgram } from "./inference.ts";
import type { LifecycleStates } from "./polling-state.ts";

/** What is worked out so far; a memo within another one holds what depends on the assumptions in it. */
export class Memo {
  readonly outputs = new Map<Command, Type>();
  readonly states = new Map<IntakeSymbol, LifecycleStates>();
  /** What several programs read, by a name of its own. */
  readonly shared = new Map<string, Type>();
  readonly programs = new Map<JqProgram, InferredProgram>();
  /** Commands whose output is being worked out. */
  readonly active = new Set<Command>();
  readonly depth: number;
  private readonly around: Memo | undefined;

  /** @param depth how many assumptions it rests on; more than `around` has where that one's results don't hold */
  constructor(around: Memo | undefined, depth = around === undefined ? 0 : around.depth + 1) {
    this.around = around;
    this.depth = depth;
  }

  output(command: Command): Type | undefined {
    return this.outputs.get(command) ?? this.around?.output(command);
  }

  state(intake: IntakeSymbol): LifecycleStates | undefined {
    return this.states.get(intake) ?? this.around?.state(intake);
  }
}
