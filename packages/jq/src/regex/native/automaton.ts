import { newline, word } from "../syntax/character-sets.ts";
import type { PlainSet } from "../syntax/tree.ts";
import type { Plain, PlainAssertion } from "./plain-tree.ts";
import { classOf } from "./source.ts";
import { UnsupportedPattern } from "./unsupported-pattern.ts";

/** States and sets are known by their numbers. */
export type State =
  /** Takes a character of a set. */
  | { readonly kind: "take"; readonly set: number; readonly next: number }
  | { readonly kind: "split"; next: readonly number[] }
  /** Goes on where an assertion holds. */
  | { readonly kind: "guard"; readonly what: PlainAssertion; readonly next: number }
  /** Goes on if the character before is one of a set, or isn't. */
  | { readonly kind: "after"; readonly set: number; readonly negate: boolean; readonly next: number }
  /** Looks for something, then goes on; from the outside it isn't known whether it does. */
  | { readonly kind: "look"; readonly body: number; readonly next: number }
  /** The end of what is looked for, or what never matches. */
  | { readonly kind: "dead" }
  | { readonly kind: "accept" };

export interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
  readonly sets: readonly PlainSet[];
  /** Numbers of the sets that assertions ask about; -1 if none does. */
  readonly newline: number;
  readonly word: number;
}

/** Patterns of more states, with repeated parts written out, aren't looked at. */
const MOST_STATES = 500;

/** @throws Declined if it gets too large */
export function automatonOf(pattern: Plain): Automaton {
  const builder = new Builder();
  const start = builder.add(pattern, builder.state({ kind: "accept" }));
  const { states, sets, numbers } = builder;
  const numberOf = (set: PlainSet): number => numbers.get(classOf(set)) ?? -1;
  return { states, start, sets, newline: numberOf(newline), word: numberOf(word) };
}

class Builder {
  readonly states: State[] = [];
  readonly sets: PlainSet[] = [];
  readonly numbers = new Map<string, number>();

  state(state: State): number {
    if (this.states.length >= MOST_STATES) throw new UnsupportedPattern("a long pattern");
    return this.states.push(state) - 1;
  }

  set(set: PlainSet): number {
    const source = classOf(set);
    const known = this.numbers.get(source);
    if (known !== undefined) return known;
    this.numbers.set(source, this.sets.length);
    return this.sets.push(set) - 1;
  }

  /** From behind: states that match a part and go on at the given one. @returns the first of them */
  add(node: Plain, next: number): number {
    switch (node.kind) {
      case "never":
        return this.state({ kind: "dead" });
      case "set":
        return this.state({ kind: "take", set: this.set(node.set), next });
      case "sequence":
        return node.items.reduceRight((behind, item) => this.add(item, behind), next);
      case "alternatives":
        return this.state({ kind: "split", next: node.items.map((item) => this.add(item, next)) });
      case "group":
        return this.add(node.body, next);
      case "repeat":
        return this.repeat(node, next);
      case "look":
        return this.look(node, next);
      case "assertion":
        this.set(node.what.endsWith("word-boundary") ? word : newline);
        return this.state({ kind: "guard", what: node.what, next });
    }
  }

  private repeat({ min, max, body }: Extract<Plain, { kind: "repeat" }>, next: number): number {
    let first = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop: Extract<State, { kind: "split" }> = { kind: "split", next: [] };
      first = this.state(loop);
      loop.next = [this.add(body, first), next];
    } else {
      for (let round = min; round < max; round++)
        first = this.state({ kind: "split", next: [this.add(body, first), next] });
    }
    for (let round = 0; round < min; round++) first = this.add(body, first);
    return first;
  }

  private look({ behind, negate, body }: Extract<Plain, { kind: "look" }>, next: number): number {
    if (!behind) {
      const found = this.state({ kind: "dead" });
      return this.state({ kind: "look", body: this.add(body, found), next });
    }
    if (body.kind !== "set") throw new UnsupportedPattern("a look-behind of more than a character");
    return this.state({ kind: "after", set: this.set(body.set), negate, next });
  }
}
