import { setTimeout as sleep } from "node:timers/promises";
import type { Transaction } from "@configc/runtime";
import { describe, expect, onTestFinished, test } from "vitest";
import { startPostgres } from "../../../../test/support/postgres.ts";
import { migrate } from "../../src/index.ts";
import { delivery, noPostgres, openStore, preparedDatabase, rawClient } from "./support.ts";

describe.skipIf(noPostgres !== undefined)(`transactions on Postgres ${noPostgres ?? ""}`, () => {
  const database = preparedDatabase();

  test("of several processes none overwrites another", async () => {
    const stores = await Promise.all([1, 2, 3].map(() => openStore(database.url)));
    const add = async (t: Transaction): Promise<void> => {
      const row = (await t.get("deliveries", "counter")) ?? delivery("counter");
      await t.put("deliveries", { ...row, attempts: row.attempts + 1 });
    };
    await Promise.all(stores.flatMap((store) => Array.from({ length: 30 }, () => store.transaction(add))));
    expect((await stores[0]!.transaction((t) => t.get("deliveries", "counter")))?.attempts).toBe(90);
  });

  test("what one read doesn't change under it: two can't both be the last", async () => {
    const [one, two] = [await openStore(database.url), await openStore(database.url)];
    const member = (id: string) => ({ id, registration: "skew", installation: id });
    await one.transaction(async (t) => {
      for (const id of ["a", "b"]) await t.put("members", member(id));
    });
    let last = 0;
    const leave = (id: string) => async (t: Transaction) => {
      const others = await t.list("members", { registration: "skew" });
      await sleep(50);
      await t.delete("members", id);
      return others.length === 1;
    };
    for (const done of await Promise.all([one.transaction(leave("a")), two.transaction(leave("b"))]))
      if (done) last++;
    expect(last).toBe(1);
  });

  test("rows of writers one after the other come in that order, whoever wrote them", async () => {
    const stores = await Promise.all([1, 2].map(() => openStore(database.url)));
    const ids = Array.from({ length: 20 }, (_, index) => `${19 - index}`);
    for (const [index, id] of ids.entries())
      await stores[index % 2]!.transaction((t) =>
        t.put("deliveries", delivery(id, { installation: "order" })),
      );
    const rows = await stores[0]!.transaction((t) =>
      t.list("deliveries", { installation: "order", status: "waiting" }, { limit: 15 }),
    );
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(0, 15));
  });

  test("a connection that is cut in the middle: the work runs again", async () => {
    const store = await openStore(database.url);
    const admin = await rawClient(database.url);
    let runs = 0;
    await store.transaction(async (t) => {
      await t.put("deliveries", delivery(`cut ${++runs}`, { installation: "cut" }));
      await t.count("deliveries", {});
      if (runs === 1)
        await admin.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'configc' AND state = 'idle in transaction' AND datname = current_database()",
        );
      await t.get("deliveries", "x");
    });
    const rows = await store.transaction((t) =>
      t.list("deliveries", { installation: "cut", status: "waiting" }),
    );
    expect(rows.map(({ id }) => id)).toEqual(["cut 2"]);
  });

  test("a statement that fails ends the transaction, also if the work carries on", async () => {
    const store = await openStore(database.url);
    const admin = await rawClient(database.url);
    await admin.query("ALTER TABLE configc.saved ADD CONSTRAINT refused CHECK (id <> 'refused')");
    onTestFinished(async () => {
      await admin.query("ALTER TABLE configc.saved DROP CONSTRAINT refused");
    });
    const carriesOn = store.transaction(async (t) => {
      await t.put("deliveries", delivery("carried on"));
      await t.put("saved", { id: "refused", scope: "application", values: {} });
      await t.get("saved", "x").catch(() => undefined);
      return "done";
    });
    await expect(carriesOn).rejects.toMatchObject({ kind: "StoreError", message: /refused/ });
    expect(await store.transaction((t) => t.get("deliveries", "carried on"))).toBeUndefined();
  });

  test("operations can't be used after the end", async () => {
    const store = await openStore(database.url);
    const kept = await store.transaction(async (t) => t);
    await expect(kept.get("deliveries", "x")).rejects.toThrow(/over/);
  });

  test("a restart and a crash of the server are waited for; one that stays away is a StoreError", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    await migrate(server.url);
    const store = await openStore(server.url, { patience: 600 });
    const add = (id: string) => store.transaction((t) => t.put("deliveries", delivery(id)));
    await add("before");
    await server.restart();
    await add("after a restart");
    await server.kill();
    const during = add("after a crash");
    await sleep(100);
    await server.restart();
    await during;
    await server.kill();
    const began = Date.now();
    await expect(add("never")).rejects.toMatchObject({ kind: "StoreError", message: /ECONNREFUSED/ });
    await expect(store.exclusive("k", async () => undefined)).rejects.toMatchObject({ kind: "StoreError" });
    expect(Date.now() - began).toBeLessThan(10_000);
    await server.restart();
    const rows = await store.transaction((t) => t.list("deliveries", {}));
    expect(rows.map(({ id }) => id)).toEqual(["before", "after a restart", "after a crash"]);
  });
});
