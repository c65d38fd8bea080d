import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../../test/support/postgres.ts";
import type { KeptAct, Performed } from "../../src/acts/index.ts";
import type { FailedItem } from "../../src/answers/failed-items.ts";
import type { Page } from "../../src/answers/page.ts";
import { answered, operated, order } from "./operated.ts";

const broken = (id: number): object => ({ id, email: null });

describe.skipIf(noPostgres !== undefined)("E146: what an operator does", () => {
  test("items are tried again, given up and deleted: of one customer, once for a request, with a record", async () => {
    const { install, work, host, hostJson, service, worker } = await operated();
    await install("i1", "ada");
    await install("i2", "bob");
    service.answer = answered(broken(1), broken(2));
    await work();
    const failed = () => hostJson<Page<FailedItem>>("items", "--failed");
    expect((await failed()).rows).toHaveLength(4);

    const dry = await hostJson<Performed>("retry-items", "--customer", "ada", "--dry-run");
    expect(dry).toMatchObject({ affected: 2, dryRun: true });
    expect((await failed()).rows).toHaveLength(4);

    const asked = ["retry-items", "--customer", "ada", "--request", "r1", "--why", "mended", "--by", "eve"];
    const done = await hostJson<Performed>(...asked);
    expect(done).toMatchObject({
      affected: 2,
      examples: [expect.stringMatching(/^i1\//), expect.anything()],
    });
    expect((await failed()).rows.map(({ customer }) => customer)).toEqual(["bob", "bob"]);
    // It fails again as it is, and the same request isn't done again.
    service.answer = answered();
    await work();
    expect((await failed()).rows).toHaveLength(4);
    expect(await hostJson<Performed>(...asked)).toEqual({ ...done, before: true });
    expect((await failed()).rows).toHaveLength(4);
    await expect(host("skip-items", "--app", "shop", "--why", "x", "--request", "r1")).rejects.toThrow(
      /The request `r1` was one to retry-items \{"customer":"ada"\}/,
    );

    const [first] = (await failed()).rows;
    await expect(host("skip-items", "--item", first?.item ?? "")).rejects.toThrow(/needs a reason/);
    expect(await host("skip-items", "--item", first?.item ?? "", "--why", "no address")).toMatch(
      /^skip-items: 1 item \(i\d\//,
    );
    const skipped = await worker.store.transaction((t) => t.get("deliveries", first?.item ?? ""));
    expect(skipped).toMatchObject({ status: "skipped", settledAt: expect.any(Number) });
    expect(skipped).not.toHaveProperty("input");
    const { fingerprint = "" } = first ?? {};
    expect(await host("purge-items", "--fingerprint", fingerprint, "--app", "shop", "--why", "x")).toMatch(
      /^purge-items: 3 items/,
    );
    expect((await failed()).rows).toEqual([]);

    const { rows } = await hostJson<Page<KeptAct>>("acts");
    expect(rows.map(({ act, by, why }) => [act, by, why])).toEqual([
      ["purge-items", expect.any(String), "x"],
      ["skip-items", expect.any(String), "no address"],
      ["retry-items", "eve", "mended"],
    ]);
    expect(rows.at(-1)).toMatchObject({
      target: { customer: "ada" },
      result: { affected: 2 },
      begun: expect.any(Number),
      ended: expect.any(Number),
    });
    expect(await host("acts", "--limit", "1")).toMatch(/purge-items app shop, fingerprint .*; 3 changed: x/);
  }, 60_000);

  test("all of a customer, or of a reason, are held, released and tried again", async () => {
    const { install, work, host, hostJson, service } = await operated();
    for (const id of ["i1", "i2"]) await install(id, "ada");
    await install("i3", "bob");
    service.answer = { status: 403, json: {} };
    await work();
    const { reasons } = await hostJson<{ reasons: { fingerprint: string; installations: number }[] }>(
      "failing",
    );
    expect(reasons).toMatchObject([{ installations: 3 }]);

    expect(await host("hold", "--customer", "ada", "--dry-run")).toBe(
      "hold: 2 installations would be changed (i1, i2).\n",
    );
    await host("hold", "--customer", "ada");
    await install("i4", "ada");
    await install("i5", "bob");
    expect(await host("why", "i4")).toContain("Nothing comes next: it is held.");
    expect(await host("why", "i5")).not.toContain("held");
    expect(await host("why", "i1")).toContain("Nothing comes next: it is held.");
    expect(await hostJson<Performed>("hold", "--customer", "ada")).toMatchObject({ affected: 0 });
    service.answer = answered(order(1));
    const { fingerprint = "" } = reasons[0] ?? {};
    expect(await hostJson<Performed>("release", "--customer", "ada")).toMatchObject({ affected: 3 });
    await install("i6", "ada");
    expect(await host("why", "i6")).not.toContain("held");
    expect(await hostJson<Performed>("retry", "--fingerprint", fingerprint)).toMatchObject({ affected: 3 });
    await work();
    expect(await host("failing")).toBe("No installation fails.\n");
    await expect(host("hold", "shop", "none")).rejects.toThrow("There is no installation `none` of `shop`.");
    await expect(host("hold")).rejects.toThrow(/Say with what: --app NAME, --customer ID/);
  }, 60_000);

  test("all of a customer are paused and put to work again by workers, as the customer could", async () => {
    const { install, host, hostJson, worker } = await operated();
    for (const id of ["i1", "i2"]) await install(id, "ada");
    await install("i3", "bob");
    const statuses = async () =>
      (await worker.store.transaction((t) => t.list("installations", {}))).map(({ status }) => status);
    expect(await host("pause", "--customer", "ada", "--dry-run")).toBe(
      "pause: 2 installations would be changed (i1, i2).\n",
    );
    expect(await hostJson<Performed>("pause", "--customer", "ada")).toMatchObject({ affected: 2 });
    expect(await hostJson<Performed>("pause", "--customer", "ada")).toMatchObject({ affected: 0 });
    await worker.runtime("shop")?.resume();
    expect(await statuses()).toEqual(["paused", "paused", "active"]);
    expect(await host("why", "i1")).toContain("import-orders, paused");
    expect(await hostJson<Performed>("activate", "--customer", "ada")).toMatchObject({ affected: 2 });
    await worker.runtime("shop")?.resume();
    expect(await statuses()).toEqual(["active", "active", "active"]);
    expect(await hostJson<Performed>("activate", "--app", "shop")).toMatchObject({ affected: 0 });
  }, 60_000);

  test("a customer's data is exported without tokens, and deleted, and nobody else's", async () => {
    const { install, work, host, service, worker, database } = await operated();
    await install("i1", "ada");
    await install("i2", "bob");
    service.answer = answered(order(1), broken(2));
    await work();
    const exported = (await host("export-customer", "ada")).trim().split("\n");
    const rows = exported.map((line) => JSON.parse(line) as { table: string; row: { id: string } });
    expect(rows.map(({ table }) => table).sort()).toEqual([
      "connections",
      "deliveries",
      "deliveries",
      "installations",
      "polling",
    ]);
    expect(exported.join()).not.toMatch(/canary|i2|"credential"/);

    const deleting = ["delete-customer", "--customer", "ada", "--why", "asked to"];
    expect(await host(...deleting)).toMatch(/Workers remove them now/);
    await worker.runtime("shop")?.resume();
    expect(await host(...deleting)).toMatch(/Rows that are gone: .*1 of connections, 1 of installations/);
    expect(await host(...deleting)).toMatch(/Nothing of the customer is left/);
    const client = new pg.Client(database);
    await client.connect();
    onTestFinished(() => client.end());
    for (const table of ["installations", "connections", "deliveries", "polling", "saved"]) {
      const { rows: left } = await client.query(`SELECT DISTINCT tenant FROM configc.${table}`);
      expect([table, left.map(({ tenant }) => tenant)]).toEqual([table, table === "saved" ? [] : ["bob"]]);
    }
    // A customer's role reads neither what operators did nor the views.
    await client.query("BEGIN; SET LOCAL ROLE configc_tenant; SET LOCAL configc.tenant = 'bob'");
    for (const name of ["acts", "failing", "failed_items", "queues"]) {
      await client.query("SAVEPOINT before");
      await expect(client.query(`SELECT * FROM configc.${name}`)).rejects.toThrow(/permission denied/);
      await client.query("ROLLBACK TO before");
    }
  }, 60_000);

  test("connections are renewed, or forgotten until the customer connects again", async () => {
    const { install, host, worker } = await operated();
    const id = await install("i1", "ada");
    const row = () => worker.store.transaction((t) => t.get("connections", id));
    await worker.store.transaction(async (t) => {
      await t.put("connections", { ...(await t.get("connections", id))!, broken: "invalid_client" });
    });
    expect(await host("failing")).toMatch(
      /AuthError at \/auth\/acme \(shop\.app\.json:4:5\)\n {2}invalid_client/,
    );
    expect(await host("refresh", "--customer", "ada")).toMatch(/^refresh: 1 connection /);
    expect(await row()).not.toHaveProperty("broken");
    expect(await worker.effects.credentials?.read(id)).toMatchObject({ refresh_token: "r", expires_at: 1 });
    expect(await host("failing")).toBe("No installation fails.\n");

    expect(await host("disconnect", "--customer", "ada", "--why", "a leaked key")).toMatch(/1 connection /);
    expect(await row()).toMatchObject({ broken: "It was disconnected: a leaked key" });
    expect(await worker.effects.credentials?.read(id)).toBeUndefined();
    expect(await host("why", "i1")).toContain("The customer has to connect again before anything is tried.");
    expect(await host("disconnect", "--customer", "ada", "--why", "a leaked key")).toMatch(/0 connections/);
  }, 60_000);
});
