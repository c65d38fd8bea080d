import type { Store, TableName } from "@configc/runtime";
import { indexes } from "@configc/runtime/internal";
import { describe, expect, test } from "vitest";
import { delivery, noPostgres, openStore, preparedDatabase, rawClient } from "./support.ts";

const tables = Object.keys(indexes) as TableName[];

/** One customer's rows in every table, as its own process and the workers make them. */
async function fill(all: Store, own: Store, name: string): Promise<void> {
  await own.transaction(async (t) => {
    await t.put("connections", { id: `c-${name}`, app: "desk", auth: "acme", accountId: "1" });
    await t.put("installations", {
      id: `i-${name}`,
      app: "desk",
      workflow: "w",
      status: "active",
      connection: `c-${name}`,
      createdAt: 1,
      changedAt: 1,
    });
  });
  await all.transaction(async (t) => {
    const installation = `i-${name}`;
    await t.put("saved", { id: `workflow/${installation}`, scope: "workflow", values: { secret: name } });
    await t.put("saved", { id: `connection/c-${name}`, scope: "connection", values: { secret: name } });
    await t.put("polling", {
      id: `${installation}/tickets`,
      installation,
      intake: "tickets",
      ready: true,
      state: {},
      cycle: 1,
      phase: "idle",
      requests: 0,
      results: 0,
      recent: [],
      allRequests: 0,
      done: false,
      failures: 0,
    });
    await t.put("deliveries", delivery(`d-${name}`, { installation }));
    const registration = { app: "desk", intake: "hooks", scope: "workflow", owner: installation } as const;
    await t.put("registrations", { id: `r-${name}`, ...registration });
    await t.put("members", { id: `m-${name}`, registration: `r-${name}`, installation });
    const hook = { registration: `r-${name}`, installation, saved: false, createdAt: 1 } as const;
    await t.put("hooks", { id: `h-${name}`, ...hook, state: "active" });
  });
}

describe.skipIf(noPostgres !== undefined)(`customers apart on Postgres ${noPostgres ?? ""}`, () => {
  const database = preparedDatabase();

  test("a customer's store has that one's rows alone, whoever made them", async () => {
    const all = await openStore(database.url);
    const [acme, other] = [all.forTenant("acme"), all.forTenant("it's; DROP TABLE x; --")];
    await fill(all, acme, "a");
    await fill(all, other, "b");
    await all.transaction(async (t) => {
      await t.put("saved", { id: "application/desk", scope: "application", values: { shared: 1 } });
      const { installation: _, ...unroutable } = delivery("unroutable");
      await t.put("deliveries", unroutable);
    });
    for (const [store, own] of [
      [acme, "a"],
      [other, "b"],
    ] as const)
      for (const table of tables) {
        const ids = (await store.transaction((t) => t.list(table, {}))).map(({ id }) => id);
        const shared = table === "saved" ? ["application/desk"] : [];
        const expected =
          table === "saved"
            ? [`workflow/i-${own}`, `connection/c-${own}`]
            : table === "polling"
              ? [`i-${own}/tickets`]
              : [`${table[0]}-${own}`];
        expect([table, ids.sort()]).toEqual([table, [...expected, ...shared].sort()]);
        expect(await store.transaction((t) => t.count(table, {}))).toBe(ids.length);
      }
    expect(await acme.transaction((t) => t.get("connections", "c-b"))).toBeUndefined();
    const whole = await all.transaction((t) => t.list("installations", {}));
    expect(whole.map(({ id }) => id)).toEqual(["i-a", "i-b"]);
  });

  test("what the host named no customer for, and what all share but their values, is nobody's to read", async () => {
    const all = await openStore(database.url);
    await fill(all, all, "nobody");
    await all.transaction(async (t) => {
      const registration = { app: "desk", intake: "hooks", scope: "application", owner: "desk" } as const;
      await t.put("registrations", { id: "shared", ...registration });
      const hook = { registration: "shared", installation: "i-nobody", saved: false, createdAt: 1 } as const;
      await t.put("hooks", { id: "secret part of a URL", ...hook, state: "active" });
      await t.put("saved", { id: "application/desk", scope: "application", values: {} });
    });
    const found = await all.forTenant("somebody").transaction(async (t) => {
      const ids: string[] = [];
      for (const table of tables) ids.push(...(await t.list(table, {})).map(({ id }) => id));
      return ids;
    });
    expect(found).toEqual(["application/desk"]);
  });

  test("rows belong to the customer that the host names, from the next time on that they are written", async () => {
    const all = await openStore(database.url);
    await fill(all, all, "late");
    await all.transaction(async (t) => {
      for (const table of ["connections", "installations"] as const) {
        const row = await t.get(table, `${table[0]}-late`);
        if (row !== undefined) await t.put(table, { ...row, customer: "late \\ one" } as never);
      }
    });
    const own = all.forTenant("late \\ one");
    expect(await own.transaction((t) => t.get("polling", "i-late/tickets"))).toBeUndefined();
    await all.transaction(async (t) => {
      for (const table of tables)
        for (const row of await t.list(table, {})) if (/late/.test(row.id)) await t.put(table, row as never);
    });
    for (const table of tables) {
      const ids = (await own.transaction((t) => t.list(table, {}))).map(({ id }) => id);
      expect([table, ids.filter((id) => id !== "application/desk").length]).toEqual([
        table,
        table === "saved" ? 2 : 1,
      ]);
    }
    // It stays theirs, whatever somebody else writes.
    await all.transaction((t) =>
      t.put("connections", { id: "c-late", app: "x", auth: "x", customer: "thief" }),
    );
    expect(await own.transaction((t) => t.get("connections", "c-late"))).toBeDefined();
    expect(await all.forTenant("thief").transaction((t) => t.list("connections", {}))).toEqual([]);
  });

  test("nothing of another's, and nothing that all share, can be written or deleted", async () => {
    const all = await openStore(database.url);
    const [one, two] = [all.forTenant("one"), all.forTenant("two")];
    await fill(all, one, "1");
    await fill(all, two, "2");
    const refused = { kind: "StoreError", message: /row-level security/ };
    const puts: readonly ((store: Store) => Promise<void>)[] = [
      (store) => store.transaction((t) => t.put("connections", { id: "c-2", app: "x", auth: "x" })),
      (store) => store.transaction((t) => t.put("deliveries", delivery("d-2", { installation: "i-1" }))),
      (store) => store.transaction((t) => t.put("deliveries", delivery("new", { installation: "i-2" }))),
      (store) =>
        store.transaction((t) => t.put("saved", { id: "workflow/i-2", scope: "workflow", values: {} })),
      (store) =>
        store.transaction((t) =>
          t.put("saved", { id: "application/desk", scope: "application", values: {} }),
        ),
      (store) =>
        store.transaction((t) =>
          t.put("registrations", {
            id: "all",
            app: "desk",
            intake: "h",
            scope: "application",
            owner: "desk",
          }),
        ),
    ];
    for (const put of puts) await expect(put(one)).rejects.toMatchObject(refused);
    await one.transaction(async (t) => {
      await t.delete("connections", "c-2");
      await t.delete("saved", "application/desk");
    });
    await one.transaction((t) => t.put("deliveries", delivery("d-1", { installation: "i-1", attempts: 7 })));
    await one.transaction((t) => t.put("deliveries", delivery("added", { installation: "i-1" })));
    const rows = await all.transaction(async (t) => [
      await t.get("connections", "c-2"),
      await t.get("deliveries", "d-1"),
      await t.get("deliveries", "d-2"),
    ]);
    expect(rows).toMatchObject([{ auth: "acme" }, { attempts: 7 }, { installation: "i-2", attempts: 0 }]);
  });

  test("the database itself keeps them apart: raw SQL of the customers' role", async () => {
    const all = await openStore(database.url);
    await fill(all, all.forTenant("raw"), "raw");
    await fill(all, all.forTenant("secret"), "secret");
    const client = await rawClient(database.url);
    const as = async (tenant: string | undefined, sql: string) => {
      await client.query("BEGIN");
      try {
        await client.query("SET LOCAL ROLE configc_tenant");
        if (tenant !== undefined)
          await client.query("SELECT set_config('configc.tenant', $1, true)", [tenant]);
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await client.query("ROLLBACK");
      }
    };
    for (const table of tables) {
      // Theirs alone, and theirs in each table.
      const own = await as("raw", `SELECT DISTINCT tenant FROM configc.${table} WHERE tenant IS NOT NULL`);
      expect([table, own]).toEqual([table, [{ tenant: "raw" }]]);
      expect(await as(undefined, `SELECT id FROM configc.${table} WHERE tenant IS NOT NULL`)).toEqual([]);
      expect(await as("raw", `DELETE FROM configc.${table} WHERE tenant = 'secret' RETURNING id`)).toEqual(
        [],
      );
      await expect(as("raw", `UPDATE configc.${table} SET tenant = 'secret'`)).rejects.toThrow(
        /row-level security/,
      );
      await expect(as("raw", `TRUNCATE configc.${table}`)).rejects.toThrow(/permission denied/);
    }
    const { rows: others } = await client.query<{ name: string }>(
      "SELECT table_schema || '.' || table_name AS name FROM information_schema.tables WHERE table_schema IN ('configc', 'dbos')",
    );
    const names = others
      .map(({ name }) => name)
      .filter((name) => !tables.some((one) => name === `configc.${one}`));
    expect(names).toContain("configc.apps");
    for (const name of names)
      await expect(as("raw", `SELECT * FROM ${name}`)).rejects.toThrow(/permission denied/);
  });
});
