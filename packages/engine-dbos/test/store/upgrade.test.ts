import type { TableName, Tables, Transaction } from "@configc/runtime";
import { indexes } from "@configc/runtime/internal";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres, sharedPostgres } from "../../../../test/support/postgres.ts";
import { Database } from "../../src/postgres/database.ts";
import { Fence } from "../../src/store/fence.ts";
import { migrate, SCHEMA_VERSION } from "../../src/store/migrate.ts";
import { migrations } from "../../src/store/migrations.ts";
import { Transactions } from "../../src/store/transactions.ts";
import { delivery, rawClient } from "./support.ts";

const tables = (Object.keys(indexes) as TableName[]).filter((table) => table !== "connections");

/** A database as an earlier version left it. */
async function olderDatabase(version: number): Promise<string> {
  const url = await (await sharedPostgres()).createDatabase();
  const client = await rawClient(url);
  await client.query("CREATE SCHEMA configc");
  await client.query(
    "CREATE TABLE configc.migrations (version int PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())",
  );
  for (const [index, { name, sql }] of migrations.slice(0, version).entries()) {
    await client.query(sql);
    await client.query("INSERT INTO configc.migrations (version, name) VALUES ($1, $2)", [index + 1, name]);
  }
  return url;
}

async function put(transaction: Transaction, table: TableName, id: string): Promise<void> {
  const rows: { readonly [T in TableName]?: Tables[T] } = {
    deliveries: delivery(id),
    saved: { id: `workflow/${id}`, scope: "workflow", values: {} },
    members: { id, registration: "r", installation: "i1" },
    registrations: { id, app: "desk", intake: "x", scope: "workflow", owner: "i1" },
  };
  const row = rows[table];
  if (row === undefined) await transaction.get(table, id);
  else await transaction.put(table, row as never);
}

describe.skipIf(noPostgres !== undefined)("an upgrade of the schema", () => {
  test("workers of the version before go on during it, and nobody loses what he wrote", async () => {
    const from = 6;
    const url = await olderDatabase(from);
    const database = new Database({ url, connections: 8 });
    const transactions = new Transactions(database, new Fence());
    let goesOn = true;
    const written: string[] = [];
    // Each goes through the tables in an order of its own.
    const loops = Array.from({ length: 3 }, async (_, worker) => {
      for (let n = 0; goesOn; n++) {
        const id = `w${worker}-${n}`;
        const order = worker > 0 ? tables : tables.toReversed();
        await transactions.run(
          async (transaction) => {
            for (const table of order) {
              await put(transaction, table, id);
              await new Promise((resolve) => setTimeout(resolve, 1));
            }
          },
          { durable: true, tenant: undefined },
        );
        written.push(id);
      }
    });
    onTestFinished(async () => {
      goesOn = false;
      await Promise.allSettled(loops);
      await database.close();
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await migrate(url)).toEqual({ from, to: SCHEMA_VERSION });
    const during = written.length;
    await expect.poll(() => written.length, { timeout: 30_000 }).toBeGreaterThan(during + 3);
    goesOn = false;
    await Promise.all(loops);
    const kept = await database.query<{ id: string }>("SELECT id FROM configc.deliveries");
    expect(kept.map(({ id }) => id).sort()).toEqual(written.toSorted());
  });

  test("it comes through where there is always somebody who holds a table for long", async () => {
    const from = 6;
    const url = await olderDatabase(from);
    let goesOn = true;
    const clients = await Promise.all(Array.from({ length: 16 }, () => rawClient(url)));
    const loops = clients.map(async (client, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 100));
      while (goesOn)
        await client.query(
          "BEGIN; SELECT FROM configc.polling LIMIT 1; SELECT pg_sleep(0.6 + random()); COMMIT",
        );
    });
    onTestFinished(async () => {
      goesOn = false;
      await Promise.allSettled(loops);
    });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await migrate(url)).toEqual({ from, to: SCHEMA_VERSION });
  }, 60_000);
});
