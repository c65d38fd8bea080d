import { createFleetWorker } from "@configc/engine-dbos";
import { loadApp } from "./app.ts";

/** One worker of a fleet, as a process: for the measurement of that. */
export interface LoadWorker {
  readonly database: string;
  readonly thirdParty: string;
  readonly slot: string;
  /** Installations at once. */
  readonly parallel: number;
}

const [given] = process.argv.slice(2);
// Without arguments it was only to be bundled.
if (given !== undefined) await work(JSON.parse(given) as LoadWorker);

async function work({ database, thirdParty, slot, parallel }: LoadWorker): Promise<void> {
  let failures = 0;
  const worker = await createFleetWorker({
    apps: { load: loadApp(thirdParty) },
    database,
    slot,
    key: new Uint8Array(32),
    effects: { platform: { fields: async () => null, upsert: async () => null, sync: async () => null } },
    allowPrivateNetwork: true,
    schedule: { parallel, interval: 5 },
    report: ({ error }) => {
      if (error === undefined) return;
      failures++;
      process.stderr.write(`${slot}: ${error instanceof Error ? error.message : String(error)}\n`);
    },
  });
  process.stdin.once("data", () => {
    const before = process.cpuUsage();
    void worker.start();
    process.stdin.once("data", async () => {
      const { user, system } = process.cpuUsage(before);
      console.log(
        JSON.stringify({ cpu: (user + system) / 1_000, failures, memory: process.memoryUsage().rss }),
      );
      await worker.close(1_000);
      process.exit(0);
    });
  });
  console.log("ready");
}
