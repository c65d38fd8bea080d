import { type Contender, contenders, type Work } from "./contenders.ts";
import { type BenchProgram, type Input, inputOf, programs } from "./programs.ts";

const SIZES = [100, 10_000];
/** CPU time for each engine, and at least that many turns of all of them: the best counts. */
const MILLISECONDS = 150;
const ROUNDS = 5;
/** A batch of runs takes at least so much CPU time. */
const BATCH = 4;
/** What runs for that long before is compiled by V8's last compiler: batches sized on code that isn't are too short. */
const WARM_UP = 40;

/**
 * Typical programs in every engine, on two sizes of input, as Markdown: the CPU time of the hand-written JS (all threads of the
 * process, so collecting garbage counts), and how many times that each engine takes. `–`: the language has no such program, or its
 * library gives something else. Engines take turns, so that what else a machine does slows all of them alike.
 */
export async function comparePrograms(): Promise<string> {
  const [hand, ...others] = contenders as readonly [Contender, ...Contender[]];
  const lines = [
    `| program | items | ${hand.name} | ${others.map(({ name }) => name).join(" | ")} |`,
    `|---|---|---|${others.map(() => "---|").join("")}`,
  ];
  const medians: string[] = [];
  for (const size of SIZES) {
    const ratios: number[] = [];
    const input = inputOf(size);
    for (const program of programs) {
      const expected = program.hand(input);
      const works: (Work | undefined)[] = [];
      for (const contender of contenders) works.push(await workOf(contender, program, input, expected));
      const [base, ...times] = await bestTimes(works);
      if (times[0] !== undefined) ratios.push(times[0] / base!);
      const cells = times.map((time) => (time === undefined ? "–" : `${ratioText(time / base!)}×`));
      lines.push(`| ${program.name} | ${size} | ${(base! * 1000).toFixed(1)} µs | ${cells.join(" | ")} |`);
    }
    const middle = ratios.sort((a, b) => a - b)[ratios.length >> 1]!;
    medians.push(`${ratioText(middle)}× with ${size} items`);
  }
  return `${lines.join("\n")}\n\nThe median of ours: ${medians.join(", ")}.`;
}

/** Undefined if it doesn't give what it should. */
async function workOf(
  { name, prepare }: Contender,
  program: BenchProgram,
  input: Input,
  expected: unknown,
): Promise<Work | undefined> {
  const work = await prepare(program, input);
  if (work === undefined) return undefined;
  try {
    const result = await work();
    if (same(result, expected)) return work;
    process.stderr.write(`  ${name} gives something else: ${JSON.stringify(result)?.slice(0, 80)}\n`);
  } catch (error) {
    process.stderr.write(`  ${name} fails: ${String(error).slice(0, 80)}\n`);
  }
  return undefined;
}

/** Milliseconds of one run of each: the best of many batches. */
async function bestTimes(works: readonly (Work | undefined)[]): Promise<readonly (number | undefined)[]> {
  const runs: number[] = [];
  for (const work of works) runs.push(work === undefined ? 0 : await runsOfBatch(work));
  const best = works.map(() => Number.POSITIVE_INFINITY);
  const start = cpuTime();
  for (let round = 0; round < ROUNDS || cpuTime() - start < MILLISECONDS * works.length; round++) {
    for (const [at, work] of works.entries()) {
      if (work !== undefined) best[at] = Math.min(best[at]!, (await batch(work, runs[at]!)) / runs[at]!);
    }
  }
  return best.map((time) => (time === Number.POSITIVE_INFINITY ? undefined : time));
}

async function runsOfBatch(work: Work): Promise<number> {
  for (const start = cpuTime(); cpuTime() - start < WARM_UP; ) await batch(work, 1);
  let runs = 1;
  while ((await batch(work, runs)) < BATCH) runs *= 2;
  return runs;
}

async function batch(work: Work, runs: number): Promise<number> {
  const start = cpuTime();
  for (let at = 0; at < runs; at++) {
    const result = work();
    if (result instanceof Promise) await result;
  }
  return cpuTime() - start;
}

/** Milliseconds that this process has used so far. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
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
