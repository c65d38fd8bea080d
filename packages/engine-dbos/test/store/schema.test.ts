import { createVault } from "@configc/runtime";
import { indexes, sealedCredential } from "@configc/runtime/internal";
import { describe, expect, test } from "vitest";
import { sharedPostgres } from "../../../../test/support/postgres.ts";
import { migrate, postgresStore, SCHEMA_VERSION } from "../../src/index.ts";
import { columnText } from "../../src/store/text.ts";
import { delivery, noPostgres, openStore, preparedDatabase, rawClient } from "./support.ts";

const emptyDatabase = async () => (await sharedPostgres()).createDatabase();

describe.skipIf(noPostgres !== undefined)(`schema on Postgres ${noPostgres ?? ""}`, () => {
  const database = preparedDatabase();

  test("several migrations at once are one; a second does nothing", async () => {
    const url = await emptyDatabase();
    const done = await Promise.all([1, 2, 3].map(() => migrate(url)));
    expect(done.filter(({ from }) => from === 0)).toHaveLength(1);
    expect(await migrate(url)).toEqual({ from: SCHEMA_VERSION, to: SCHEMA_VERSION });
    const client = await rawClient(url);
    const { rows } = await client.query("SELECT version FROM configc.migrations ORDER BY version");
    expect(rows).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, index) => ({ version: index + 1 })));
  });

  test("a database that isn't prepared, is older or newer is refused with what to do", async () => {
    const url = await emptyDatabase();
    await expect(postgresStore({ url })).rejects.toThrow(/isn't prepared.*configc-host migrate/);
    await migrate(url);
    const client = await rawClient(url);
    await client.query("DELETE FROM configc.migrations WHERE version = $1", [SCHEMA_VERSION]);
    await expect(postgresStore({ url })).rejects.toThrow(/older version.*configc-host migrate/);
    await client.query("INSERT INTO configc.migrations (version, name) VALUES (99, 'later')");
    await expect(postgresStore({ url })).rejects.toThrow(/newer version.*schema 99/);
    await expect(migrate(url)).rejects.toThrow(/newer version.*schema 99/);
  });

  test("a migration that fails leaves nothing", async () => {
    const url = await emptyDatabase();
    const client = await rawClient(url);
    await client.query("CREATE SCHEMA configc; CREATE TABLE configc.locks (other int)");
    await expect(migrate(url)).rejects.toThrow(/can't be migrated.*already exists/);
    const { rows } = await client.query("SELECT to_regclass('configc.deliveries') AS made");
    expect(rows).toEqual([{ made: null }]);
  });

  test("there is an index for each way in which rows are found", async () => {
    const client = await rawClient(database.url);
    const { rows } = await client.query<{ name: string }>(
      "SELECT tablename || ' ' || regexp_replace(indexdef, '^.*\\((.*)\\)$', '\\1') AS name FROM pg_indexes WHERE schemaname = 'configc'",
    );
    const present = rows.map(({ name }) => name.replaceAll(/"|by_| COLLATE C/g, ""));
    for (const [table, found] of Object.entries(indexes))
      for (const members of found)
        expect(present).toContain(`${table} ${[...members, "position"].join(", ")}`);
  });

  test("D29 no token can be read in the tables", async () => {
    const store = await openStore(database.url);
    const vault = createVault(new Uint8Array(32).fill(7));
    const credential = await sealedCredential(vault, "c", { access_token: "canary-token" });
    await store.transaction((t) => t.put("connections", { id: "c", app: "a", auth: "acme", credential }));
    const client = await rawClient(database.url);
    const { rows } = await client.query<{ row: string }>("SELECT row FROM configc.connections");
    expect(rows.map(({ row }) => row).join()).toContain(credential);
    expect(rows.map(({ row }) => row).join()).not.toContain("canary");
  });

  test("ids that a column can't keep as they are: NUL, halves of pairs, long ones", async () => {
    const store = await openStore(database.url);
    const long = "x".repeat(5_000);
    const ids = [
      "\0",
      "\\u0000",
      "\ud800",
      "\udc00",
      "�",
      "\\",
      "\\\\",
      `${long}1`,
      `${long}2`,
      "é".repeat(400),
    ];
    await store.transaction(async (t) => {
      for (const id of ids) await t.put("deliveries", delivery(id, { installation: id, app: "texts" }));
    });
    for (const id of ids) {
      const found = await store.transaction((t) =>
        t.list("deliveries", { installation: id, status: "waiting" }),
      );
      expect(found.map((row) => row.id)).toEqual([id]);
    }
    expect(new Set(ids.map(columnText)).size).toBe(ids.length);
  });
});
