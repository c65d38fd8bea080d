import { type Contender, contenders, type Work } from "./contenders.ts";
import { inputOf, programs } from "./programs.ts";

const SIZES = [100, 10_000];
const MILLISECONDS = 120;

/**
 * Twelve typical programs in every engine, on two sizes of input, as Markdown: the time of the
 * hand-written JS, and how many times that each engine takes. `–`: the language has no such program, or its
 * library gives something else.
 */
export async function comparePrograms(): Promise<string> {
  const [hand, ...others] = contenders as readonly [Contender, ...Contender[]];
  const lines = [
    `| program | items | ${hand.name} | ${others.map(({ name }) => name).join(" | ")} |`,
    `|---|---|---|${others.map(() => "---|").join("")}`,
  ];
  for (const size of SIZES) {
    const input = inputOf(size);
    for (const program of programs) {
      const expected = program.hand(input);
      const base = await timeOf(hand, () => hand.prepare(program, input), expected);
      const cells: string[] = [];
      for (const contender of others) {
        const time = await timeOf(contender, () => contender.prepare(program, input), expected);
        cells.push(time === undefined ? "–" : `${ratioText(time / base!)}×`);
      }
      lines.push(`| ${program.name} | ${size} | ${(base! * 1000).toFixed(1)} µs | ${cells.join(" | ")} |`);
    }
  }
  return lines.join("\n");
}

/** Milliseconds of one run: the best of many batches. Undefined if it doesn't give what it should. */
async function timeOf(
  { name }: Contender,
  prepare: () => Promise<Work | undefined>,
  expected: unknown,
): Promise<number | undefined> {
  const work = await prepare();
  if (work === undefined) return undefined;
  try {
    const result = await work();
    if (!same(result, expected)) {
      process.stderr.write(`  ${name} gives something else: ${JSON.stringify(result)?.slice(0, 80)}\n`);
      return undefined;
    }
  } catch (error) {
    process.stderr.write(`  ${name} fails: ${String(error).slice(0, 80)}\n`);
    return undefined;
  }
  let runs = 1;
  let best = Number.POSITIVE_INFINITY;
  const start = performance.now();
  while (performance.now() - start < MILLISECONDS) {
    const time = await batch(work, runs);
    if (time < 5) runs *= 2;
    else best = Math.min(best, time / runs);
  }
  return best === Number.POSITIVE_INFINITY ? (await batch(work, runs)) / runs : best;
}

async function batch(work: Work, runs: number): Promise<number> {
  const start = performance.now();
  for (let at = 0; at < runs; at++) {
    const result = work();
    if (result instanceof Promise) await result;
  }
  return performance.now() - start;
}

/** Order of members doesn't count. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => [name, ordered(item)]);
}

function ratioText(ratio: number): string {
  return ratio < 10 ? ratio.toFixed(1) : Math.round(ratio).toLocaleString("en");
}
