import { compile } from "@configc/compiler";
import { createFleetWorker, type FleetWorker } from "@configc/engine-dbos";
import { addConnection, embeddedPlatform } from "@configc/host";
import type { TableName } from "@configc/runtime";
import { indexes } from "@configc/runtime/internal";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../test/support/postgres.ts";
import { create, remove, thirdParty } from "../../runtime/test/support/third-party.ts";
import { main } from "../src/command.ts";
import { fleetDatabase } from "./support/database.ts";

const tables = Object.keys(indexes) as TableName[];

/** One workflow polls, one has a webhook of its own, one that of all customers. */
function app(origin: string) {
  const target = { "!pipe": [{ "!jq": "{email: .email}" }, { "!resource": "PlatformContact" }] };
  const connect = { label: "C", describe_connection: { "!jq": `{account_id: "1", description: "x"}` } };
  const schedule = { label: "S", description: "D", import_options: [], frequency: 1800 };
  const workflow = (name: string, intake: string, setup: object) => ({
    name,
    label: name,
    type: "generic",
    auth: "acme",
    data_intake: intake,
    setup,
    data_pipeline: { source: { "!jq": "." }, target },
  });
  const request = { "!jq": '{results: [{email: "a@example.com"}], iterate: false, polling_state: {}}' };
  return compile(
    JSON.stringify({
      $version: "2",
      api: { base_url: origin },
      auth: { acme: { type: "api_key", configuration: { header: "x-key" } } },
      data_intake: [
        { type: "polling", name: "polled", request },
        { type: "webhook", name: "own", scope: "workflow", create, delete: remove },
        {
          type: "webhook",
          name: "shared",
          scope: "application",
          create: { "!pipe": [{ "!jq": '{n: "1"}' }, { "!save": { scope: "application" } }] },
          delete: { "!jq": "." },
        },
      ],
      workflows: [
        workflow("polls", "polled", { connect, schedule }),
        workflow("hears", "own", {}),
        workflow("shares", "shared", {}),
      ],
    }),
  ).app;
}

async function start(): Promise<{ readonly worker: FleetWorker; readonly database: string }> {
  const database = await fleetDatabase();
  const party = await thirdParty();
  const worker = await createFleetWorker({
    database,
    apps: { acme: app(party.origin) },
    key: new Uint8Array(32),
    effects: { platform: embeddedPlatform() },
    publicUrl: "https://hooks.example.com",
    allowPrivateNetwork: true,
    schedule: { interval: 3_600 },
    queueInterval: 20,
    report: ({ error }) => expect(error).toBeUndefined(),
  });
  onTestFinished(() => worker.close(0));
  return { worker, database };
}

/** A connection and an installation of each workflow, in use. */
async function customer(worker: FleetWorker, name: string | undefined): Promise<readonly string[]> {
  const owner = name === undefined ? {} : { customer: name };
  const connection = await addConnection(worker, {
    app: "acme",
    auth: "acme",
    credential: { access_token: `key of ${name}` },
    ...owner,
  });
  const runtime = worker.runtime("acme")!;
  const made: string[] = [];
  for (const { name: workflow } of runtime.app.workflows) {
    const { id } = await runtime.installations.create(workflow, owner);
    await worker.store.transaction(async (t) => {
      const row = (await t.get("installations", id))!;
      const settings = { connection, customData: {} };
      await t.put("installations", { ...row, connection, draft: { step: "ready", settings } });
    });
    await runtime.activate(id);
    made.push(id);
  }
  return made;
}

/** What the role of a customer sees, by table. */
async function seen(database: string, tenant: string): Promise<Record<string, number>> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    await client.query("BEGIN; SET LOCAL ROLE configc_tenant");
    await client.query("SELECT set_config('configc.tenant', $1, true)", [tenant]);
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const { rows } = await client.query<{ id: string }>(`SELECT id FROM configc.${table}`);
      counts[table] = rows.filter(({ id }) => id !== "application/acme").length;
    }
    return counts;
  } finally {
    await client.end();
  }
}

const all = {
  connections: 1,
  installations: 3,
  polling: 1,
  deliveries: 1,
  // What `create` of the webhook saved.
  saved: 1,
  registrations: 1,
  hooks: 1,
  members: 3 - 1,
};
const none = Object.fromEntries(tables.map((table) => [table, 0]));

describe.skipIf(noPostgres !== undefined)("E47: customers of a fleet", () => {
  test("all that a worker keeps for a customer is read under that one's role, and nothing under another's", async () => {
    const { worker, database } = await start();
    await customer(worker, "one");
    await customer(worker, "two");
    await customer(worker, undefined);
    await worker.start();
    await worker.idle();
    expect(await seen(database, "one")).toEqual(all);
    expect(await seen(database, "two")).toEqual(all);
    expect(await seen(database, "three")).toEqual(none);
    expect(await seen(database, "")).toEqual(none);
  });

  test("`assign` says it afterwards, unless it is another's", async () => {
    const { worker, database } = await start();
    const made = await customer(worker, undefined);
    await worker.start();
    await worker.idle();
    expect(await seen(database, "late")).toEqual(none);
    const environment = { DATABASE_URL: database };
    for (const id of made) expect(await main(["assign", "acme", id, "late"], environment)).toBe(0);
    expect(await seen(database, "late")).toEqual(all);
    expect(await main(["assign", "acme", made[0] ?? "", "thief"], environment)).toBe(1);
    expect(await main(["assign", "acme", "nobody's", "late"], environment)).toBe(1);
    expect(await seen(database, "thief")).toEqual(none);
  });

  test("an installation can't have another customer's connection", async () => {
    const { worker } = await start();
    const runtime = worker.runtime("acme")!;
    const credential = { access_token: "k" };
    const theirs = await addConnection(worker, { app: "acme", auth: "acme", credential, customer: "one" });
    const { id } = await runtime.installations.create("polls", { customer: "two" });
    const connect = () => runtime.installations.setup(id, (setup) => setup.connect(theirs));
    await expect(connect()).rejects.toMatchObject({ kind: "unknown" });
    expect((await runtime.installations.get(id)).connection).toBeUndefined();
    // One without a customer gets that of its connection.
    const { id: open } = await runtime.installations.create("polls");
    await runtime.installations.setup(open, (setup) => setup.connect(theirs));
    expect((await runtime.installations.get(open)).customer).toBe("one");
  });
});
