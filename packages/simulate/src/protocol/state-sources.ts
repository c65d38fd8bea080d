import type { CommandWalk } from "../symbolic/command.ts";
import { type Atom, atomsOf, isPlaceOf, type Value } from "../symbolic/value.ts";
import { plainAtoms, valueAtoms } from "./places.ts";

/** What is written into a key of the state, by which command. */
export interface StateSource {
  readonly by: string;
  readonly value: Value;
}

/** By key of the state. */
export type StateSources = ReadonlyMap<string, readonly StateSource[]>;

export function stateSources(walk: CommandWalk, outputs: ReadonlyMap<string, Value>): StateSources {
  const keys = new Set(walk.demands.of({ kind: "state" }).members.keys());
  const sources = new Map<string, StateSource[]>();
  for (const [by, output] of outputs) {
    const state = walk.navigator.member(output, "polling_state");
    collectKeys(state, keys);
    for (const key of keys) {
      const value = walk.navigator.member(state, key);
      const list = sources.get(key) ?? [];
      list.push({ by, value });
      sources.set(key, list);
    }
  }
  return sources;
}

function collectKeys(state: Value, keys: Set<string>): void {
  if (state.kind === "object") {
    for (const key of state.members.keys()) keys.add(key);
    if (state.base !== undefined) collectKeys(state.base, keys);
  }
  if (state.kind === "choice") for (const each of state.of) collectKeys(each, keys);
  if (state.kind === "literal" && typeof state.value === "object" && state.value !== null)
    for (const key of Object.keys(state.value)) keys.add(key);
}

/** All that a key of the state may depend on, over other keys too. */
export function closure(keys: readonly string[], states: StateSources): readonly StateSource[] {
  return reached(keys, states, atomsOf);
}

/** What a key of the state may be made of, without what only decides it. */
export function flow(keys: readonly string[], states: StateSources): readonly StateSource[] {
  return reached(keys, states, valueAtoms);
}

/**
 * What programs demand of a key of the state they demand of the answer that it was copied from: a time that a later command reads with
 * `fromdate` is one that `fromdate` can read.
 */
export function demandOfSources({ demands }: CommandWalk, states: StateSources): void {
  for (const [key, { uses, formats }] of demands.of({ kind: "state" }).members)
    for (const { value } of reached([key], states, plainAtoms))
      for (const atom of plainAtoms(value)) {
        if (!isPlaceOf(atom, "response") || atom.path.length === 0) continue;
        const source = demands.at(atom.root, atom.path);
        for (const use of ["time", "epoch", "number"] as const) if (uses.has(use)) source.uses.add(use);
        for (const format of formats) source.formats.add(format);
      }
}

function reached(
  keys: readonly string[],
  states: StateSources,
  atoms: (value: Value) => readonly Atom[],
): readonly StateSource[] {
  const seen = new Set<string>();
  const pending = [...keys];
  const all: StateSource[] = [];
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    for (const source of states.get(key) ?? []) {
      all.push(source);
      pending.push(...keysOf(atoms(source.value)));
    }
  }
  return all;
}

export function stateKeys(value: Value): string[] {
  return keysOf(atomsOf(value));
}

function keysOf(atoms: readonly Atom[]): string[] {
  return atoms.flatMap((atom) =>
    isPlaceOf(atom, "state") && atom.path[0] !== undefined ? [atom.path[0]] : [],
  );
}
