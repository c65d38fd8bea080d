import { spawnSync } from "node:child_process";

/**
 * Wall milliseconds of whole processes, in turn (A B A B …) after a warm-up, so that a drift of the machine hits both.
 *
 * @param before called before each start, with the command's name
 */
export function compareProcesses(
  commands: Readonly<Record<string, readonly string[]>>,
  runs: number,
  before: (name: string) => void = () => {},
): Record<string, number> {
  const times: Record<string, number[]> = {};
  for (let run = -1; run < runs; run++) {
    for (const [name, args] of Object.entries(commands)) {
      before(name);
      const start = performance.now();
      const { status, error } = spawnSync(process.execPath, args as string[], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      if (error !== undefined || status === null || status > 1)
        throw new Error(`${name} failed: ${error?.message ?? `status ${status}`}`);
      if (run >= 0) (times[name] ??= []).push(performance.now() - start);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}
