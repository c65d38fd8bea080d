import { types } from "@configc/jq";
import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { flowOf } from "../../../flow/flow.ts";
import { textAt } from "../../../flow/nodes.ts";
import { outcomesOf, type StateWrite, stateWritesOf } from "../../../flow/protocol/state-writes.ts";
import { type Witness, witnessesOf } from "../../../flow/witnesses.ts";
import { Cycle } from "./cycle.ts";
import { type KeyRead, keyReads } from "./key-reads.ts";

/** A command that makes a state without keys that are read after it. */
export interface Drop {
  /** Its name: `request`, `post_poll` … */
  readonly command: string;
  /** What makes that state. */
  readonly at: Witness["at"];
  readonly keys: readonly string[];
  readonly readers: readonly KeyRead[];
}

/** Where the commands of a polling intake drop keys of the state. */
export function dropsIn(intake: IntakeSymbol, model: Model): readonly Drop[] {
  if (keyReads(intake, model).size === 0) return [];
  const cycle = new Cycle(intake, model);
  return [...intake.commands].flatMap(([name, command]) => {
    const needed = cycle.readsAfter(name).filter(({ key }) => isReturned(key, intake, model));
    const keys = [...new Set(needed.map(({ key }) => key))];
    return dropsOf(name, command, keys, model).map((drop) => ({
      ...drop,
      command: name,
      readers: needed.filter(({ key }) => drop.keys.includes(key)),
    }));
  });
}

/** Whether some command returns a key. One that none does is a name that isn't declared, and reported as that. */
export function isReturned(key: string, intake: IntakeSymbol, model: Model): boolean {
  const state = flowOf(model).state(intake);
  return state.kind === "object" && state.rest === undefined && state.members.has(key);
}

/**
 * Where a command makes a state that certainly lacks some of the keys. What `initial_setup` gives on one of its ways without any state has none of those
 * that it sets on another: there is no older state that would stay.
 */
function dropsOf(
  name: string,
  command: Command,
  keys: readonly string[],
  model: Model,
): Pick<Drop, "at" | "keys">[] {
  const drops = new Map<string, { at: Witness["at"]; keys: string[] }>();
  const writes = stateWritesOf(command, model);
  for (const key of keys) {
    // Most commands name all keys each time: that needs no types.
    const isSet = writes?.every((write) => sets(write, key)) === true;
    const isWanted = isSet && name === "initial_setup" && givesNoneSometimes(command, model);
    if (isSet && !isWanted) continue;
    const state = types.object([[key, { type: types.unknown, optional: false }]], types.unknown);
    const member = { type: types.union(state, noState), optional: !isWanted };
    const wanted = types.union(types.object([["polling_state", member]], types.unknown), noState);
    for (const { at, path } of witnessesOf(command, wanted, flowOf(model))) {
      if (path[0] !== "polling_state" && !(isWanted && path.length === 0)) continue;
      const id = "from" in at ? `${at.node.start}:${at.from}:${at.to}` : `${at.start}`;
      const drop = drops.get(id) ?? { at, keys: [] };
      drop.keys.push(key);
      drops.set(id, drop);
    }
  }
  return [...drops.values()];
}

/** Whether a command gives a state on some of its ways, and an object without one on others. */
function givesNoneSometimes(command: Command, model: Model): boolean {
  const given = (outcomesOf(command, model) ?? []).map(({ members }) => members.has("polling_state"));
  return given.includes(true) && given.includes(false);
}

/** Whether a key is certainly there after a write. What `del(.page)` takes away counts as null, but isn't written so. */
function sets({ keys, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  if (value === undefined) return false;
  return value.kind !== "Call" || value.name.text !== "null" || textAt(value, program) === "null";
}

/** What isn't a state at all is another finding. */
const noState = types.union(types.string, types.number, types.boolean, types.anyArray, types.nullType);
