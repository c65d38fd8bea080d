import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import { NOW } from "./evaluate.ts";
import { stateAfter, worldOf } from "./intake-world.ts";
import { record, run } from "./run.ts";
import { type Source, UNKNOWN, type Value } from "./value.ts";

/** The state with which a polling intake begins for a customer who chose a number wherever one is taken. */
export interface ChosenStart {
  /** As `initial_setup` leaves it. */
  readonly setUp: Value;
  /** As the first request finds it. */
  readonly prepared: Value;
}

/** How an intake begins with a choice: that of another number shows what depends on it. */
export function chosenStart({ commands }: IntakeSymbol, number: number): ChosenStart {
  const chosen: Source = { resolve: () => ({ kind: "unknown", number }) };
  const after = (name: string, state: Value): Value => {
    const command = commands.get(name);
    if (command === undefined) return state;
    const world = worldOf(state, NOW, () => UNKNOWN);
    return stateAfter(
      run(command, {
        ...world,
        explores: true,
        root: (root, path) =>
          root === "custom_data" ? { kind: "part", path, source: chosen } : world.root(root, path),
      }),
      state,
    );
  };
  const setUp = after("initial_setup", record({}));
  return { setUp, prepared: after("pre_poll", setUp) };
}
