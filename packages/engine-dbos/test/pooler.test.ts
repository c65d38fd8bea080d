import { createFleetWorker } from "@configc/engine-dbos";
import { embeddedPlatform } from "@configc/host";
import type { Json } from "@configc/runtime";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../test/support/postgres.ts";
import { fleetDatabase } from "./support/database.ts";
import { numbers } from "./support/numbers.ts";
import { Pooler } from "./support/pooler.ts";

const INSTALLATIONS = 6;
const KEY = new Uint8Array(32);

/** A worker behind a pooler with fewer connections than it would have itself. */
async function pooled(prepares: boolean) {
  const url = await fleetDatabase();
  const pooler = await Pooler.start({ url, size: 5, prepares });
  onTestFinished(() => pooler.close());
  const keys: string[] = [];
  const failed: string[] = [];
  const upsert = async (_resource: string, _item: object, { key = "" }): Promise<Json> => {
    keys.push(key);
    return {};
  };
  const worker = await createFleetWorker({
    database: pooler.url,
    listenUrl: url,
    apps: { acme: numbers("1") },
    key: KEY,
    effects: { platform: { ...embeddedPlatform(), upsert } },
    schedule: { interval: 3_600, parallel: 4 },
    queueInterval: 50,
    report: ({ error }) => {
      if (error !== undefined) failed.push(String(error));
    },
  });
  onTestFinished(() => worker.close(0));
  await worker.store.transaction(async (transaction) => {
    for (let n = 0; n < INSTALLATIONS; n++)
      await transaction.put("installations", {
        id: `i${n}`,
        app: "acme",
        workflow: "numbers",
        status: "active",
        settings: { customData: {} },
        createdAt: 1,
        changedAt: 1,
      });
  });
  await worker.start();
  await worker.idle();
  return { pooler, worker, keys, failed };
}

describe.skipIf(noPostgres !== undefined)("a worker behind a pooler in transaction mode", () => {
  test("that knows statements by their names: it works as without one", async () => {
    const { pooler, worker, keys, failed } = await pooled(true);
    expect(failed).toEqual([]);
    expect(keys).toHaveLength(INSTALLATIONS * 6);
    expect(new Set(keys).size).toBe(INSTALLATIONS * 6);
    expect(await worker.runs.list({ status: "done" })).toHaveLength(INSTALLATIONS);
    expect(pooler.turns).toBeGreaterThan(100);
  });

  test("that doesn't: it says what the pooler has to do", async () => {
    await expect(pooled(false)).rejects.toThrow(/prepared statement .*PgBouncer .*`max_prepared_statements`/);
  });
});
