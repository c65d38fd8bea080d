import type { Automaton } from "./automaton.ts";

/**
 * States from which every text is matched, without ever going back over a character: at each place that can be reached, the
 * match may end. A search that gets there is over, whatever follows.
 *
 * @returns by number of the state
 */
export function alwaysMatchingStates({ states }: Automaton): readonly boolean[] {
  const reaches = states.map((_, state) => reachOf(states, state));
  const certain = reaches.map(({ ends, looks }) => ends && !looks);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [state, { behind }] of reaches.entries()) {
      if (!certain[state] || behind.every((next) => certain[next])) continue;
      certain[state] = false;
      changed = true;
    }
  }
  return certain;
}

interface Reach {
  /** The match may end, whatever the text. */
  readonly ends: boolean;
  readonly looks: boolean;
  /** States behind the next character. */
  readonly behind: readonly number[];
}

/** What can be reached without taking a character. */
function reachOf(states: Automaton["states"], from: number): Reach {
  let [ends, looks] = [false, false];
  const behind: number[] = [];
  const stack: [state: number, sure: boolean][] = [[from, true]];
  const seen = new Set<number>();
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const [at, sure] = entry;
    const key = at * 2 + (sure ? 1 : 0);
    if (seen.has(key)) continue;
    seen.add(key);
    const state = states[at]!;
    if (state.kind === "accept") ends ||= sure;
    else if (state.kind === "take") behind.push(state.next);
    else if (state.kind === "split") for (const next of state.next) stack.push([next, sure]);
    else if (state.kind === "look") looks = true;
    else if (state.kind !== "dead") stack.push([state.next, false]);
  }
  return { ends, looks, behind };
}
