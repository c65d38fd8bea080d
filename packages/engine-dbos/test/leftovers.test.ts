import { createFleetWorker } from "@configc/engine-dbos";
import { embeddedPlatform } from "@configc/host";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { numbersApp } from "../../../test/support/numbers-app.ts";
import { noPostgres } from "../../../test/support/postgres.ts";
import { fleetDatabase } from "./support/database.ts";

describe.skipIf(noPostgres !== undefined)("E51: what runs leave", () => {
  test("one that found nothing to do is forgotten, with its steps; one that did something stays", async () => {
    const database = await fleetDatabase();
    const client = new pg.Client(database);
    await client.connect();
    onTestFinished(() => client.end());
    let cycles = 0;
    const worker = await createFleetWorker({
      database,
      // The first cycle brings two items, and all others nothing.
      apps: { acme: numbersApp({ items: 2, page: 2, frequency: 1, version: "1", once: true }) },
      key: new Uint8Array(32),
      effects: { platform: embeddedPlatform() },
      schedule: { interval: 1 },
      queueInterval: 20,
      keepIdle: 200,
      report: ({ job, error }) => {
        expect(error).toBeUndefined();
        if (job === "poll") cycles++;
      },
    });
    onTestFinished(() => worker.close(0));
    await worker.store.transaction((transaction) =>
      transaction.put("installations", {
        id: "n",
        app: "acme",
        workflow: "numbers",
        status: "active",
        settings: { customData: {} },
        createdAt: 1,
        changedAt: 1,
      }),
    );
    await worker.start();
    await expect.poll(() => cycles, { timeout: 60_000 }).toBeGreaterThan(3);
    await client.query(
      "UPDATE configc.installations SET by_status = 'paused', row = replace(row, 'active', 'paused')",
    );
    await worker.idle();
    const left = async (): Promise<readonly string[]> => {
      const { rows } = await client.query<{ id: string }>(
        "SELECT workflow_uuid AS id FROM dbos.workflow_status WHERE status = 'SUCCESS' AND queue_name = 'installations'",
      );
      return rows.map(({ id }) => id);
    };
    await expect.poll(left, { timeout: 20_000 }).toHaveLength(1);
    const [kept = ""] = await left();
    expect(await worker.runs.inspect(kept)).toMatchObject({ output: { delivered: 2 } });
    // Nothing without its run, but for the looks that still go on.
    for (const table of ["operation_outputs", "workflow_input", "workflow_output"]) {
      const { rows } = await client.query(
        `SELECT FROM dbos.${table} WHERE workflow_uuid NOT IN (SELECT workflow_uuid FROM dbos.workflow_status)`,
      );
      expect([table, rows.length]).toEqual([table, 0]);
    }
    const looks = await client.query(
      "SELECT FROM dbos.workflow_status WHERE queue_name IN ('looks', 'schedules')",
    );
    expect(looks.rows.length).toBeLessThan(6);
  });
});
