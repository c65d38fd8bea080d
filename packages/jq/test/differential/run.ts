import type { Json } from "../../src/index.ts";
import { compareOne } from "./compare.ts";
import { type Feature, generateProgram } from "./generate.ts";
import { anyValue, shapedValue } from "./inputs.ts";
import type { Difference } from "./kept.ts";
import { Random } from "./random.ts";
import { Reference } from "./reference.ts";

export interface Summary {
  readonly pairs: number;
  readonly skipped: number;
  /** Differences that we keep, by reason. */
  readonly kept: ReadonlyMap<string, number>;
  /** Pairs on which both gave outputs and no error. */
  readonly succeeded: number;
  /** Of those, the ones with a construct that only works if much else does, by construct. */
  readonly reached: ReadonlyMap<Feature, number>;
  readonly deep: number;
  readonly seconds: number;
  readonly differences: readonly Difference[];
}

/**
 * Compares generated programs with jq until the time is over or there are enough pairs.
 *
 * @param seed the same seed gives the same pairs
 * @param limit of pairs, and of time in milliseconds
 * @param onDifference as soon as one is found
 */
export async function runDifferential(
  seed: number,
  limit: { readonly pairs?: number; readonly milliseconds?: number },
  onDifference: (difference: Difference) => void = () => {},
): Promise<Summary> {
  const random = new Random(seed);
  const reference = new Reference();
  const { pairs: enough = Number.POSITIVE_INFINITY, milliseconds = Number.POSITIVE_INFINITY } = limit;
  const kept = new Map<string, number>();
  const reached = new Map<Feature, number>();
  const differences: Difference[] = [];
  let [pairs, skipped, succeeded, deep] = [0, 0, 0, 0];
  const start = performance.now();
  while (pairs < enough && performance.now() - start < milliseconds) {
    const { text, features } = generateProgram(random);
    const input: Json = random.chance(85) ? shapedValue(random) : anyValue(random);
    const verdict = await compareOne(reference, text, input);
    if (verdict.kind === "skipped") {
      skipped++;
      continue;
    }
    pairs++;
    if (verdict.kind === "kept") kept.set(verdict.why, (kept.get(verdict.why) ?? 0) + 1);
    else if (verdict.kind === "different") {
      differences.push(verdict.difference);
      onDifference(verdict.difference);
    } else if (verdict.succeeded) {
      succeeded++;
      if (features.size > 0) deep++;
      for (const feature of features) reached.set(feature, (reached.get(feature) ?? 0) + 1);
    }
  }
  const seconds = (performance.now() - start) / 1000;
  await reference.end();
  return { pairs, skipped, kept, succeeded, reached, deep, seconds, differences };
}

export function summaryText({
  pairs,
  skipped,
  kept,
  succeeded,
  reached,
  deep,
  seconds,
  differences,
}: Summary): string {
  const share = (count: number): string => `${((100 * count) / Math.max(pairs, 1)).toFixed(1)} %`;
  const features = [...reached].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${share(count)}`);
  return [
    `${pairs} pairs compared, ${(pairs / seconds).toFixed(0)} a second; ${skipped} skipped; ${differences.length} differences`,
    `${[...kept.values()].reduce((sum, count) => sum + count, 0)} differences that we keep: ${[...kept].map(([why, count]) => `${count} (${why})`).join(", ")}`,
    `${share(succeeded)} end with outputs and no error; ${share(deep)} do so with a deep construct: ${features.join(", ")}`,
  ].join("\n");
}
