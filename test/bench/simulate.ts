import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type App, compile } from "@configc/compiler";
import { simulate } from "@configc/simulate";

/** What `simulate` costs, in CPU time of this process. */
export async function simulationTable(): Promise<string> {
  const right = readFileSync("packages/simulate/test/polling/right.app.json", "utf8");
  const { edits } = (
    JSON.parse(readFileSync("packages/simulate/test/polling/mistakes.json", "utf8")) as readonly {
      readonly edits: readonly (readonly [string, string])[];
    }[]
  )[1]!;
  const losing = edits.reduce((text, [from, to]) => text.replace(from, () => to), right);
  const rows = [
    ["a loss by pages, until it is told", `${(await untilTold(compile(losing).app)).toFixed(2)} s`, "≤ 2 s"],
    ["a week of polling, one world", `${(await week(compile(right).app)).toFixed(2)} s`, "≤ 1.5 s"],
    ["heap after 600 worlds, to that after 60", await heap(compile(right).app), "flat"],
  ];
  return [
    "| what | measured | budget |",
    "|---|---|---|",
    ...rows.map((row) => `| ${row.join(" | ")} |`),
  ].join("\n");
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function untilTold(app: App): Promise<number> {
  const stop = new AbortController();
  return await seconds(() =>
    simulate(app, {
      seeds: 0,
      signal: stop.signal,
      onProgress: ({ failures }) => {
        if (failures > 0) stop.abort();
      },
    }),
  );
}

/** The same worlds with the long one and without it, by turns; the smallest difference. */
async function week(app: App): Promise<number> {
  const differences: number[] = [];
  for (let round = 0; round < 5; round++) {
    const without = await seconds(() => simulate(app, { seeds: 0, days: 0 }));
    differences.push((await seconds(() => simulate(app, { seeds: 0, days: 7 }))) - without);
  }
  return differences.sort((a, b) => a - b)[2]!;
}

async function heap(app: App): Promise<string> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const used: number[] = [];
  for (const seeds of [60, 540]) {
    await simulate(app, { seeds, days: 0 });
    collect();
    used.push(process.memoryUsage().heapUsed / 2 ** 20);
  }
  return `${used[0]!.toFixed(0)} MB, ${used[1]!.toFixed(0)} MB`;
}
