import { indexes, type Store, type TableName } from "@configc/runtime";
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
    for (const table of ["locks", "migrations"])
      await expect(as("raw", `SELECT * FROM configc.${table}`)).rejects.toThrow(/permission denied/);
  });
});
