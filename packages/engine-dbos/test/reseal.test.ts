import { createFleetWorker, type FleetWorker, postgresStore } from "@configc/engine-dbos";
import { embeddedPlatform } from "@configc/host";
import { createVault, type Json, type Store, sealedStore, storedCredentials } from "@configc/runtime";
import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { noPostgres } from "../../../test/support/postgres.ts";
import { main } from "../src/command.ts";
import { Database } from "../src/postgres/database.ts";
import { reseal } from "../src/worker/reseal.ts";
import { fleetDatabase } from "./support/database.ts";
import { numbers } from "./support/numbers.ts";

const [old, next, lost] = [1, 2, 3].map((fill) => new Uint8Array(32).fill(fill)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const base64 = (key: Uint8Array): string => Buffer.from(key).toString("base64");
const CONNECTIONS = 30;

async function start(database: string, key: Uint8Array, oldKeys: Uint8Array[] = []): Promise<FleetWorker> {
  return await createFleetWorker({
    database,
    apps: { acme: numbers("1") },
    key,
    oldKeys,
    slot: "one",
    effects: { platform: embeddedPlatform() },
  });
}

/** Something sealed in each place that has it. */
async function fill(store: Store, key: Uint8Array, prefix = ""): Promise<void> {
  const vault = createVault(key);
  const sealed = sealedStore(store, vault);
  const credentials = storedCredentials(store, vault);
  for (let n = 0; n < CONNECTIONS; n++) {
    const id = `${prefix}c${n}`;
    await store.transaction((t) => t.put("connections", { id, app: "acme", auth: "a" }));
    await credentials.write(id, { access_token: `token ${n}` });
    await credentials.sessions?.write(id, { token: `session ${n}` } as never);
  }
  const id = `${prefix}i`;
  await sealed.transaction(async (t) => {
    await t.put("installations", {
      id,
      app: "acme",
      workflow: "numbers",
      status: "paused",
      createdAt: 1,
      changedAt: 1,
    });
    await t.put("saved", { id: `workflow/${id}`, scope: "workflow", values: { secret: "s" } });
    await t.put("deliveries", {
      id: `${prefix}d`,
      app: "acme",
      installation: id,
      intake: "numbers",
      origin: "polling",
      status: "failed",
      attempts: 1,
      answered: [{ pointer: "/p", write: true, body: "answer" }],
      receivedAt: 1,
    });
    const hook = { registration: "r", installation: id, saved: false, createdAt: 1 } as const;
    await t.put("hooks", {
      id: `${prefix}h`,
      ...hook,
      state: "creating",
      data: { n: 1 },
      journal: await vault.seal("[]", `hook ${prefix}h`),
      updating: { target: "t", journal: await vault.seal("[1]", `update of hook ${prefix}h`) },
    });
  });
}

/** How many texts in the whole database a key has sealed. */
async function sealedWith(database: string, key: Uint8Array): Promise<number> {
  const client = new pg.Client(database);
  await client.connect();
  const name = await createVault(key).name();
  let count = 0;
  for (const table of ["connections", "saved", "hooks", "deliveries", "apps"]) {
    const { rows } = await client.query<{ n: string }>(
      `SELECT sum(regexp_count(t::text, $1)) AS n FROM configc.${table} t`,
      [`v1\\.${name}\\.`],
    );
    count += Number(rows[0]?.n ?? 0);
  }
  await client.end();
  return count;
}

async function verb(database: string, ...oldKeys: Uint8Array[]): Promise<{ status: number; said: string }> {
  let said = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
  const environment = {
    DATABASE_URL: database,
    CONFIGC_KEY: base64(next),
    CONFIGC_OLD_KEYS: oldKeys.map(base64).join(","),
  };
  const status = await main(["reseal"], environment).finally(() => write.mockRestore());
  return { status, said };
}

async function filled(): Promise<{ readonly database: string; readonly store: Store }> {
  const database = await fleetDatabase();
  const store = await postgresStore({ url: database });
  onTestFinished(() => store.close());
  await fill(store, old);
  return { database, store };
}

// Credential and session of each connection; saved values, an answer, and three texts of a webhook; the app.
const ALL = 2 * CONNECTIONS + 5 + 1;

describe.skipIf(noPostgres !== undefined)("E49: keys are exchanged", () => {
  test("everything is sealed anew, and then the old key isn't needed", async () => {
    const { database, store } = await filled();
    const before = await start(database, old, [next]);
    expect(await sealedWith(database, old)).toBe(ALL);
    const early = await verb(database, old);
    expect([early.status, early.said]).toEqual([
      1,
      expect.stringMatching(/still needed: the worker one seals with another key/),
    ]);
    // Whoever still has the old key writes with it.
    await storedCredentials(store, createVault(old, next)).write("c3", { access_token: "renewed" });
    await before.close(0);

    const after = await start(database, next, [old]);
    const { status, said } = await verb(database, old);
    expect(said).toMatch(/connections: 30 looked at, 1 sealed anew/);
    expect(said).toMatch(/the old keys can go/);
    expect(status).toBe(0);
    await after.close(0);

    // A new token ended a session.
    expect([await sealedWith(database, old), await sealedWith(database, next)]).toEqual([0, ALL - 1]);
    const alone = createVault(next);
    const credentials = storedCredentials(store, alone);
    expect(await credentials.read("c3")).toEqual({ access_token: "renewed" });
    expect(await credentials.sessions?.read("c4")).toEqual({ token: "session 4" });
    const [values, answered] = await sealedStore(store, alone).transaction(async (t) => [
      (await t.get("saved", "workflow/i"))?.values as Json,
      (await t.get("deliveries", "d"))?.answered as Json | undefined,
    ]);
    expect([values, answered]).toEqual([{ secret: "s" }, [{ pointer: "/p", write: true, body: "answer" }]]);
    const hook = await store.transaction((t) => t.get("hooks", "h"));
    expect(await alone.open(hook?.journal ?? "", "hook h")).toBe("[]");
    expect(await alone.open(hook?.updating?.journal ?? "", "update of hook h")).toBe("[1]");
    const worker = await start(database, next);
    await worker.close(0);
  });

  test("it goes on where it was ended", async () => {
    const { database: url, store } = await filled();
    const database = new Database({ url, connections: 2 });
    onTestFinished(() => database.close());
    const vault = createVault(next, old);
    const seen: number[] = [];
    const ended = reseal({
      database,
      store,
      vault,
      batch: 7,
      progress: ({ table, sealed }) => {
        if (table === "connections") seen.push(sealed);
        if (seen.length === 2) throw new Error("That's enough.");
      },
    });
    await expect(ended).rejects.toThrow("That's enough.");
    expect(seen).toEqual([7, 14]);
    const { sealed, closed, others } = await reseal({ database, store, vault, batch: 7 });
    expect([sealed, closed, others]).toEqual([CONNECTIONS - 14 + 3, [], []]);
    expect((await reseal({ database, store, vault })).sealed).toBe(0);
  });

  test("what no key opens is named, and the rest is sealed anew", async () => {
    const { database, store } = await filled();
    await fill(store, lost, "lost-");
    const { status, said } = await verb(database, old);
    expect([status, said]).toEqual([
      1,
      expect.stringMatching(/No key that was given opens .*connections lost-c\d+.* and \d+ more/),
    ]);
    expect([await sealedWith(database, old), (await verb(database, old, lost)).status]).toEqual([0, 0]);
    expect(await sealedWith(database, lost)).toBe(0);
  });
});
