import { createFleetWorker } from "@configc/engine-dbos";
import { askingApp } from "../support/asking-app.ts";

/** One worker of a fleet with two apps, as a process. */
export interface BesideWorker {
  readonly database: string;
  readonly slot: string;
  /** Installations at once. */
  readonly parallel: number;
  /** Each app's service, and the seconds between two cycles of an installation of it. */
  readonly apps: Readonly<Record<string, { readonly origin: string; readonly period: number }>>;
}

/** What was done since it was asked last, by app. */
export type BesideCount = Readonly<Record<string, { readonly done: number; readonly failed: number }>>;

const [given] = process.argv.slice(2);
if (given !== undefined) await work(JSON.parse(given) as BesideWorker);

async function work({ database, slot, parallel, apps }: BesideWorker): Promise<void> {
  const none = (): Record<string, { done: number; failed: number }> =>
    Object.fromEntries(Object.keys(apps).map((app) => [app, { done: 0, failed: 0 }]));
  let counts = none();
  const worker = await createFleetWorker({
    database,
    slot,
    apps: Object.fromEntries(
      Object.entries(apps).map(([name, { origin, period }]) => [name, askingApp(origin, period)]),
    ),
    key: new Uint8Array(32),
    effects: { platform: { fields: async () => null, upsert: async () => null, sync: async () => null } },
    allowPrivateNetwork: true,
    schedule: { parallel, interval: 1 },
    report: ({ app, job, error }) => {
      const count = counts[app];
      if (count === undefined) return;
      if (error !== undefined) count.failed++;
      else if (job === "poll") count.done++;
    },
  });
  process.on("message", () => {
    process.send?.(counts satisfies BesideCount);
    counts = none();
  });
  await worker.start();
  process.send?.("started");
}
