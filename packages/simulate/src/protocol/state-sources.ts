import type { CommandWalk } from "../symbolic/command.ts";
import { atomsOf, isPlaceOf, type Value } from "../symbolic/value.ts";

/** By key of the state: what is written into it, by which command. */
export type StateSources = ReadonlyMap<string, readonly { readonly by: string; readonly value: Value }[]>;

export function stateSources(walk: CommandWalk, outputs: ReadonlyMap<string, Value>): StateSources {
  const keys = new Set(walk.demands.of({ kind: "state" }).members.keys());
  const sources = new Map<string, { by: string; value: Value }[]>();
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

/** All that a key of the state may be made of, over other keys too. */
export function closure(
  keys: readonly string[],
  states: StateSources,
): readonly { readonly by: string; readonly value: Value }[] {
  const seen = new Set<string>();
  const pending = [...keys];
  const all: { by: string; value: Value }[] = [];
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    for (const source of states.get(key) ?? []) {
      all.push(source);
      pending.push(...stateKeys(source.value));
    }
  }
  return all;
}

export function stateKeys(value: Value): string[] {
  return atomsOf(value).flatMap((atom) =>
    isPlaceOf(atom, "state") && atom.path[0] !== undefined ? [atom.path[0]] : [],
  );
}
