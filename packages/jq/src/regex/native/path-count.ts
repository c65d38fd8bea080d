import { alphabetOf, type Letter } from "./alphabet.ts";
import { alwaysMatchingStates } from "./always-matching.ts";
import type { Automaton, State } from "./automaton.ts";
import { UnsupportedPattern } from "./unsupported-pattern.ts";

/** More tries for a character of the text, and a search isn't called linear. */
const MOST_TRIES = 100;
/** More work, and the question is given up. */
const MOST_EFFORT = 40_000;

/** How many ways lead to each state behind the characters so far, by the number of the state. */
type Counts = ReadonlyMap<number, number>;

/** A place in some text: the ways that lead there, and the letter before; -1 at the start. */
interface Place {
  readonly counts: Counts;
  readonly before: number;
}

/** What is tried at a place: states that take a character, each with the number of ways to it. */
interface Tries {
  readonly takes: readonly (readonly [state: Extract<State, { kind: "take" }>, ways: number])[];
  readonly count: number;
}

/**
 * An engine that goes back where it fails, and looks for a match from each place of the text on, tries every way through the
 * pattern that the text allows, in the worst case: at a place as many as lead there from any place before. This counts them for
 * all texts at once. Places where they are the same for each state go on in the same way, so where their number is bounded there
 * are finitely many kinds of places, and all are visited; where it grows with the text, the bound is soon exceeded.
 *
 * Ways that are certain to end in a match aren't counted: once on such a way, the search never goes back.
 *
 * @returns the most tries at a place of any text
 * @throws Declined if there is no bound, or too high a one, or it takes too long to find
 */
export function mostTries(automaton: Automaton): number {
  return new Census(automaton).run();
}

class Census {
  private readonly automaton: Automaton;
  private readonly letters: readonly Letter[];
  private readonly certain: readonly boolean[];
  /** Sets that are asked whether the character before belongs to them. */
  private readonly behind: readonly number[];
  private effort = 0;

  constructor(automaton: Automaton) {
    this.automaton = automaton;
    this.letters = alphabetOf(automaton.sets);
    this.certain = alwaysMatchingStates(automaton);
    this.behind = setsBehind(automaton);
  }

  run(): number {
    const known = new Set<string>();
    const places: Place[] = [];
    const arrive = (place: Place): void => {
      const key = this.keyOf(place);
      if (known.has(key)) return;
      known.add(key);
      places.push(place);
    };
    arrive({ counts: new Map(), before: -1 });
    let most = 0;
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      for (let after = -1; after < this.letters.length; after++) {
        const { takes, count } = this.tries(place, after);
        most = Math.max(most, count);
        if (after >= 0) arrive({ counts: this.behindLetter(takes, after), before: after });
      }
    }
    return most;
  }

  /** Everything that is tried at a place, before a letter; -1 at the end of the text. */
  private tries({ counts, before }: Place, after: number): Tries {
    const { states, start } = this.automaton;
    const takes: [Extract<State, { kind: "take" }>, number][] = [];
    let count = 0;
    // A search begins at each place.
    const stack: [state: number, ways: number][] = [[start, 1], ...counts];
    for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
      const [at, ways] = entry;
      count += ways;
      if (count > MOST_TRIES) throw new UnsupportedPattern("tries that grow with the text");
      if (++this.effort > MOST_EFFORT) throw new UnsupportedPattern("too many kinds of places");
      const state = states[at]!;
      if (state.kind === "take") takes.push([state, ways]);
      else if (state.kind === "split") for (const next of state.next) stack.push([next, ways]);
      else if (state.kind === "look") stack.push([state.body, ways], [state.next, ways]);
      else if ((state.kind === "guard" || state.kind === "after") && this.holds(state, before, after))
        stack.push([state.next, ways]);
    }
    return { takes, count };
  }

  private behindLetter(takes: Tries["takes"], letter: number): Counts {
    const counts = new Map<number, number>();
    for (const [{ set, next }, ways] of takes)
      if (this.letters[letter]![set] && !this.certain[next]) counts.set(next, (counts.get(next) ?? 0) + ways);
    return counts;
  }

  /** Whether an assertion may hold between two letters. */
  private holds(state: Extract<State, { kind: "guard" | "after" }>, before: number, after: number): boolean {
    const { newline, word } = this.automaton;
    const isBefore = (set: number) => before >= 0 && this.letters[before]![set]!;
    const isAfter = (set: number) => after >= 0 && this.letters[after]![set]!;
    if (state.kind === "after") return isBefore(state.set) !== state.negate;
    switch (state.what) {
      case "text-start":
        return before < 0;
      case "text-end":
        return after < 0;
      case "text-end-or-newline":
      case "line-end":
        return after < 0 || isAfter(newline);
      case "line-start":
        return before < 0 || (isBefore(newline) && after >= 0);
      case "word-boundary":
        return isBefore(word) !== isAfter(word);
      case "no-word-boundary":
        return isBefore(word) === isAfter(word);
    }
  }

  private keyOf({ counts, before }: Place): string {
    const ways = [...counts].sort(([a], [b]) => a - b).join(" ");
    const letter = before < 0 ? "-" : this.behind.map((set) => Number(this.letters[before]![set])).join("");
    return `${letter}/${ways}`;
  }
}

function setsBehind({ states, newline, word }: Automaton): number[] {
  const sets = new Set<number>();
  for (const state of states) {
    if (state.kind === "after") sets.add(state.set);
    if (state.kind !== "guard") continue;
    if (state.what === "line-start") sets.add(newline);
    if (state.what === "word-boundary" || state.what === "no-word-boundary") sets.add(word);
  }
  return [...sets];
}
