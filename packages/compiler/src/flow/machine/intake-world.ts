import { segmentOf, type World } from "./run.ts";
import { isKind, type Source, UNKNOWN, type Value } from "./value.ts";

/** What the commands of a polling intake run in, with a state. */
export function worldOf(state: Value, now: number, effect: World["effect"]): World {
  return {
    input: { kind: "record", members: new Map([["polling_state", state]]), open: true },
    root: (name, path) =>
      name === "polling_state"
        ? path.reduce(segmentOf, state)
        : // What a customer chose and what was saved stays what it is while pages are read.
          { kind: "part", path: [name, ...path], source: kept },
    effect,
    now,
  };
}

const kept: Source = { resolve: () => UNKNOWN };

/** The state after a command; the same where it gives none. */
export function stateAfter(output: Value, before: Value): Value {
  if (!isKind(output, "record") || output.open) return UNKNOWN;
  return output.members.get("polling_state") ?? before;
}
