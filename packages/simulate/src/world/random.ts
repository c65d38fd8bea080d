/** A stream of numbers that a seed decides: the same on every machine (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 ≤ x < 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** 0 ≤ n < below */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(of: readonly T[]): T {
    return of[this.below(of.length)]!;
  }
}
