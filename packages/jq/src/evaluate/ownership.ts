import type { Json } from "../json.ts";
import { bytes, countMade } from "./meter.ts";

/**
 * The containers of a fold's state that its own steps have made and that nothing else has: those may be changed in
 * place. They are kept by their depth in the state (0 is the state itself), since an expression that sees a part of
 * the state can only have kept what lies at its depth or below: all of that is given up then.
 *
 * Each of them stands at one place of the state, and so does everything on the way there. What isn't known to be
 * ours is copied once and is ours then.
 */
export class Ownership {
  private state: Json | undefined = undefined;
  /** Those at depth 1, 2, … */
  private readonly below: Set<Json>[] = [];

  has(value: Json, depth: number): boolean {
    if (depth === 0) return value === this.state;
    const level = this.below[depth - 1];
    return level !== undefined && typeof value === "object" && level.has(value);
  }

  /** @param container one that was just made, and of which only the state at this depth will know */
  add(container: Json, depth: number): void {
    if (depth === 0) {
      this.state = container;
      return;
    }
    while (this.below.length < depth) this.below.push(new Set());
    countMade(bytes.owned);
    this.below[depth - 1]!.add(container);
  }

  /** Gives up what lies at this depth or below. */
  lose(depth: number): void {
    if (depth === 0) this.state = undefined;
    const levels = Math.max(depth - 1, 0);
    if (this.below.length > levels) this.below.length = levels;
  }
}
