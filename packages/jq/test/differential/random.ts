/** A reproducible source of choices. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    // Marsaglia's xorshift with a Weyl sequence: enough for choosing, and the same on every machine.
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % end;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}
