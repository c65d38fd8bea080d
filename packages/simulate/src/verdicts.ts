import type { Failure, Verdict } from "./report.ts";
import type { Condition } from "./world/conditions.ts";

interface Seen {
  readonly condition: Condition;
  worlds: number;
  readonly broken: Map<string, number>;
}

/** Counts for each hypothesis in how many worlds something broke because of it: what its smallest world can't do without. */
export class Verdicts {
  readonly #seen = new Map<string, Seen>();
  readonly #guilty = new Map<Failure, ReadonlySet<string>>();

  /** @param conditions of the smallest world that shows a failure */
  blame(failure: Failure, conditions: readonly Condition[]): void {
    this.#guilty.set(failure, new Set(conditions.filter(({ isUsual }) => !isUsual).map(keyOf)));
  }

  held(conditions: readonly Condition[]): void {
    for (const condition of conditions) this.#of(condition).worlds++;
  }

  /** A failure that takes nothing special counts against all that a world supposes. */
  broken(conditions: readonly Condition[], failure: Failure): void {
    const guilty = this.#guilty.get(failure) ?? new Set();
    for (const condition of conditions) {
      const seen = this.#of(condition);
      if (guilty.size > 0 && !guilty.has(keyOf(condition))) continue;
      seen.worlds++;
      seen.broken.set(failure.law, (seen.broken.get(failure.law) ?? 0) + 1);
    }
  }

  /** By topic, the usual first. */
  result(): readonly Verdict[] {
    const all = [...this.#seen.values()];
    const topics = [...new Set(all.map(({ condition }) => condition.topic))];
    return topics.flatMap((topic) =>
      all
        .filter(({ condition }) => condition.topic === topic)
        .sort((a, b) => Number(b.condition.isUsual) - Number(a.condition.isUsual))
        .map(({ condition: { told }, worlds, broken }) => ({
          topic,
          told,
          worlds,
          broken: [...broken].map(([law, count]) => ({ law, worlds: count })),
        })),
    );
  }

  #of(condition: Condition): Seen {
    const key = keyOf(condition);
    let seen = this.#seen.get(key);
    if (seen === undefined) {
      seen = { condition, worlds: 0, broken: new Map() };
      this.#seen.set(key, seen);
    }
    return seen;
  }
}

function keyOf({ topic, told }: Condition): string {
  return `${topic}\n${told}`;
}
