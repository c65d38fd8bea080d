// A worker whose platform takes some time for an item. Without arguments it does nothing: it has only been bundled.
import { createFleetWorker } from "@configc/engine-dbos";
import { createHost } from "@configc/host";
import type { Json, Platform } from "@configc/runtime";
import { benchApp, ITEMS } from "./app.ts";

export interface WorkerArguments {
  /** Undefined: a host of one process, with its state in `directory`. */
  readonly database?: string;
  readonly directory?: string;
  readonly slot: string;
  readonly latency: number;
  readonly parallel: number;
  /** Of a single host: it makes them itself. */
  readonly installations: number;
  /** Of a fleet: which runs are told as stories. */
  readonly stories?: "all" | "failed" | "none";
}

const key = new Uint8Array(32);

function platform(latency: number): Platform {
  return {
    fields: async () => [],
    sync: async () => null,
    async upsert(): Promise<Json> {
      if (latency > 0) await new Promise((resolve) => setTimeout(resolve, latency));
      return {};
    },
  };
}

async function main({
  database,
  directory,
  slot,
  latency,
  parallel,
  installations,
  stories,
}: WorkerArguments): Promise<void> {
  const options = {
    apps: { bench: benchApp() },
    key,
    effects: { platform: platform(latency) },
    schedule: { interval: 3_600, parallel },
    report: () => undefined,
  };
  const host =
    database === undefined
      ? await createHost({ ...options, ...(directory === undefined ? {} : { directory }) })
      : await createFleetWorker({
          ...options,
          database,
          slot,
          connections: 30,
          queueInterval: 100,
          ...(stories === undefined ? {} : { stories }),
        });
  if (database === undefined)
    await host.store.transaction(async (transaction) => {
      for (let number = 0; number < installations; number++)
        await transaction.put("installations", {
          id: `i${number}`,
          app: "bench",
          workflow: "numbers",
          status: "active",
          settings: { customData: {} },
          createdAt: 1,
          changedAt: 1,
        });
    });
  process.stdout.write("ready\n");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  const cpu = process.cpuUsage();
  const begun = performance.now();
  await host.start();
  // A look enqueues all; an embedded host does them to the last.
  await host.idle();
  const { user, system } = process.cpuUsage(cpu);
  const report = {
    milliseconds: performance.now() - begun,
    cpu: (user + system) / 1_000,
    items: ITEMS * installations,
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  await host.close();
}

const [given] = process.argv.slice(2);
if (given !== undefined) await main(JSON.parse(given) as WorkerArguments);
