import { createFleetWorker } from "@configc/engine-dbos";
import { numbersApp } from "../support/numbers-app.ts";

/** One worker of a fleet at its usual work, as a process. */
export interface SteadyWorker {
  readonly database: string;
  readonly slot: string;
  /** Installations at once. */
  readonly parallel: number;
  /** Seconds between two cycles of an installation. */
  readonly period: number;
  /** Seconds between two looks. */
  readonly interval: number;
}

/** What a worker did since it was asked last. */
export interface SteadyCount {
  readonly cycles: number;
  readonly failed: number;
  /** CPU, in milliseconds. */
  readonly cpu: number;
  /** How late each cycle began, in milliseconds. */
  readonly late: readonly number[];
  /** Bytes. */
  readonly memory: number;
}

const [given] = process.argv.slice(2);
if (given !== undefined) await work(JSON.parse(given) as SteadyWorker);

async function work({ database, slot, parallel, period, interval }: SteadyWorker): Promise<void> {
  let [cycles, failed] = [0, 0];
  let late: number[] = [];
  let cpu = process.cpuUsage();
  const worker = await createFleetWorker({
    database,
    slot,
    apps: { load: numbersApp({ items: 1, page: 1, frequency: period, version: "1" }) },
    key: new Uint8Array(32),
    effects: { platform: { fields: async () => null, upsert: async () => null, sync: async () => null } },
    schedule: { parallel, interval },
    observe: {
      due() {},
      async run(run, work) {
        if (run.job === "poll" && run.late !== undefined) late.push(run.late);
        return await work(undefined);
      },
    },
    report: ({ job, error }) => {
      if (error !== undefined) failed++;
      if (job === "poll") cycles++;
    },
  });
  process.on("message", async (asked) => {
    if (asked === "count") {
      const { user, system } = process.cpuUsage(cpu);
      cpu = process.cpuUsage();
      const count: SteadyCount = {
        cycles,
        failed,
        cpu: (user + system) / 1_000,
        late,
        memory: process.memoryUsage().rss,
      };
      [cycles, failed, late] = [0, 0, []];
      process.send?.(count);
    } else {
      await worker.close(1_000);
      process.exit(0);
    }
  });
  await worker.start();
  process.send?.("started");
}
