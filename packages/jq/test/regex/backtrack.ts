import { testOf } from "../../src/regex/matcher/character-tests.ts";
import type { Automaton, State } from "../../src/regex/native/automaton.ts";

/**
 * Searches a text as an engine does that goes back where it fails: from each place on, until a match is found.
 *
 * @returns how many states it tried
 */
export function triesOf({ states, start, sets, newline, word }: Automaton, text: string): number {
  const codes = [...text].map((character) => character.codePointAt(0)!);
  const tests = sets.map(testOf);
  let tries = 0;

  const has = (set: number, at: number) => at >= 0 && at < codes.length && tests[set]!(codes[at]!);
  const match = (number: number, at: number): boolean => {
    tries++;
    const state = states[number]!;
    switch (state.kind) {
      case "take":
        return has(state.set, at) && match(state.next, at + 1);
      case "split":
        return state.next.some((next) => match(next, at));
      case "look":
        // Whether it must match isn't known any more: everything is tried.
        return match(state.body, at) || match(state.next, at);
      case "after":
        return has(state.set, at - 1) !== state.negate && match(state.next, at);
      case "guard":
        return holds(state, at) && match(state.next, at);
      case "dead":
      case "accept":
        return state.kind === "accept";
    }
  };
  const holds = ({ what }: Extract<State, { kind: "guard" }>, at: number): boolean => {
    switch (what) {
      case "text-start":
        return at === 0;
      case "text-end":
        return at === codes.length;
      case "text-end-or-newline":
        return at === codes.length || (at === codes.length - 1 && has(newline, at));
      case "line-start":
        return at === 0 || (has(newline, at - 1) && at < codes.length);
      case "line-end":
        return at === codes.length || has(newline, at);
      case "word-boundary":
        return has(word, at - 1) !== has(word, at);
      case "no-word-boundary":
        return has(word, at - 1) === has(word, at);
    }
  };
  for (let at = 0; at <= codes.length; at++) if (match(start, at)) break;
  return tries;
}
