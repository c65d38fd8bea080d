import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** How long something took: by the clock, and as CPU time of all threads, user and system; milliseconds. */
export interface Time {
  readonly wall: number;
  readonly cpu: number;
}

/** Tells the CPU time of a process when it ends, on a file descriptor of its own. */
const REPORT = fileURLToPath(new URL("report-cpu.cjs", import.meta.url));

/**
 * Times of whole processes, in turn (A B A B …) after a warm-up, so that a drift of the machine hits both: medians.
 *
 * @param before called before each start, with the command's name
 */
export function compareProcesses(
  commands: Readonly<Record<string, readonly string[]>>,
  runs: number,
  before: (name: string) => void = () => {},
): Record<string, Time> {
  const times: Record<string, Time[]> = {};
  for (let run = -1; run < runs; run++) {
    for (const [name, args] of Object.entries(commands)) {
      before(name);
      const start = performance.now();
      const { status, error, output } = spawnSync(process.execPath, ["--require", REPORT, ...args], {
        stdio: ["ignore", "ignore", "inherit", "pipe"],
      });
      const wall = performance.now() - start;
      if (error !== undefined || status === null || status > 1)
        throw new Error(`${name} failed: ${error?.message ?? `status ${status}`}`);
      if (run >= 0) (times[name] ??= []).push({ wall, cpu: Number(`${output[3]}`) / 1000 });
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, medianTime(all)]));
}

/** How long some work in this process takes. */
export function timed(work: () => unknown): Time {
  const [start, before] = [performance.now(), process.cpuUsage()];
  work();
  return since(start, before);
}

/** The same for work that is waited for. */
export async function timedAsync(work: () => Promise<unknown>): Promise<Time> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  return since(start, before);
}

function since(start: number, before: NodeJS.CpuUsage): Time {
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
}

export function medianTime(times: readonly Time[]): Time {
  return { wall: median(times.map(({ wall }) => wall)), cpu: median(times.map(({ cpu }) => cpu)) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}
