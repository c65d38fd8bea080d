import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { compile } from "@configc/compiler";
import { createFleetWorker, type FleetOptions, postgresStore } from "@configc/engine-dbos";
import { addConnection, embeddedPlatform, type JobReport } from "@configc/host";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { noPostgres } from "../../../test/support/postgres.ts";
import { Database } from "../src/postgres/database.ts";
import { fleetDatabase } from "./support/database.ts";

const auth = { people: { type: "oauth2", configuration: { token_url: "https://api.example.com/token" } } };
const { app } = compile(JSON.stringify({ $version: "2", auth, data_intake: [], workflows: [] }));

function options(database: string, more: Partial<FleetOptions> = {}): FleetOptions {
  return {
    database,
    apps: { acme: app },
    key: new Uint8Array(32),
    effects: { platform: embeddedPlatform() },
    publicUrl: "https://hooks.example.com/in",
    ...more,
  };
}

describe.skipIf(noPostgres !== undefined)("a worker that has ended", () => {
  test("says so, whatever it is asked for", async () => {
    const reports: JobReport[] = [];
    const worker = await createFleetWorker(
      options(await fleetDatabase(), { report: (report) => reports.push(report) }),
    );
    await worker.close(0);
    const closed = { name: "RunError", kind: "StoreError", message: /^The store is closed/ };
    await expect(worker.store.transaction(async () => 1)).rejects.toMatchObject({
      ...closed,
      message: expect.stringMatching(closed.message),
    });
    await expect(worker.store.exclusive("k", async () => 1)).rejects.toThrow(closed.message);
    await expect(worker.runtime("acme")!.poll("none")).rejects.toThrow(closed.message);
    expect(await worker.healthy()).toBe(false);
    worker.deliver("acme", "none");
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(reports).toEqual([]);
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { url: "/in/acme/hook", method: "POST", complete: true });
    request.push("{}");
    request.push(null);
    const response = new ServerResponse(request);
    expect(await worker.handle(request, response)).toBe(true);
    expect(response.statusCode).toBe(503);
  });

  test("whether the database is there is said at once", async () => {
    const database = new Database({ url: "postgres://postgres@127.0.0.1:1/none" });
    const begun = performance.now();
    expect(await database.answers()).toBe(false);
    expect(performance.now() - begun).toBeLessThan(10_000);
    await database.close();
  });

  test("one that can only be read, as a standby is, isn't there for a worker", async () => {
    const url = await fleetDatabase();
    for (const [readOnly, answers] of [
      ["on", false],
      ["off", true],
    ]) {
      const database = new Database({ url: `${url}?options=-c default_transaction_read_only=${readOnly}` });
      expect(await database.answers()).toBe(answers);
      await database.close();
    }
  });
});

describe.skipIf(noPostgres !== undefined)("the key of a fleet", () => {
  test("a worker with another one doesn't begin; apps are sealed with it", async () => {
    const database = await fleetDatabase();
    const worker = await createFleetWorker(options(database));
    await addConnection(worker, { app: "acme", auth: "people", credential: { access_token: "t" } });
    await worker.close(0);
    const client = new pg.Client(database);
    await client.connect();
    const { rows } = await client.query<{ app: string }>("SELECT app FROM configc.apps");
    await client.end();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.app).toMatch(/^v1\./);
    const other = new Uint8Array(32).fill(1);
    await expect(createFleetWorker(options(database, { key: other }))).rejects.toThrow(
      /The key doesn't open the tokens that are kept.*CONFIGC_OLD_KEYS/,
    );
    const both = await createFleetWorker(options(database, { key: other, oldKeys: [new Uint8Array(32)] }));
    await both.close(0);
  });

  test("a store opens without one", async () => {
    const store = await postgresStore({ url: await fleetDatabase() });
    await store.close();
    await store.close();
  });
});
