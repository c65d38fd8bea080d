import type { Command, IntakeSymbol } from "../../bind/bound-nodes.ts";
import { NOW } from "./evaluate.ts";
import { worldOf } from "./intake-world.ts";
import { record, run } from "./run.ts";
import {
  type Constant,
  constantsOf,
  isKind,
  itemsOf,
  memberOf,
  type Source,
  UNKNOWN,
  type Value,
} from "./value.ts";

/** The constants with which a key of the state may go into an intake's first request, as far as they are known; a customer chose some number. */
export function firstValues(intake: IntakeSymbol, key: string): readonly Constant[] {
  const begun = stateAfter("initial_setup", record({}), intake);
  const known = valuesSetUp(intake, key);
  if (begun === undefined || !intake.commands.has("pre_poll")) return known;
  return known.flatMap((each) => {
    const state: Value = { kind: "record", members: new Map([...begun.members, [key, each]]), open: false };
    const after = stateAfter("pre_poll", state, intake);
    return after === undefined ? [] : (constantsOf(memberOf(after, key)) ?? []);
  });
}

/** The constants that `initial_setup` may give a key, as far as they are known; a customer chose some number. */
export function valuesSetUp(intake: IntakeSymbol, key: string): readonly Constant[] {
  const begun = stateAfter("initial_setup", record({}), intake);
  return constantsOf(begun === undefined ? UNKNOWN : memberOf(begun, key)) ?? [];
}

function stateAfter(name: string, state: Value, { commands }: IntakeSymbol) {
  const command = commands.get(name);
  if (command === undefined) return undefined;
  const world = worldOf(state, NOW, answer);
  const output = run(command, {
    ...world,
    root: (root, path) =>
      root === "custom_data" ? { kind: "part", path: [...path], source: chosen } : world.root(root, path),
    explores: true,
    keepsBoth: true,
  });
  const after = isKind(output, "record") ? memberOf(output, "polling_state") : UNKNOWN;
  return isKind(after, "record") && itemsOf(after) !== undefined ? after : undefined;
}

const chosen: Source = { resolve: () => ({ kind: "unknown", number: 7 }) };

/** An answer of which nothing is known. */
const answer = (command: Command): Value =>
  command.key === "!http" ? { kind: "part", path: [], source: { resolve: () => UNKNOWN } } : UNKNOWN;
