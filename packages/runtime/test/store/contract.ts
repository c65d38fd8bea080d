import { ExactNumber, type Json } from "@configc/jq";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Delivery, Store } from "../../src/store/index.ts";

function delivery(id: string, parts: Partial<Delivery> = {}): Delivery {
  return {
    id,
    app: "desk",
    installation: "i1",
    intake: "tickets",
    origin: "polling",
    status: "waiting",
    attempts: 0,
    receivedAt: 1,
    ...parts,
  };
}

const deep = (levels: number): Json => JSON.parse(`${"[".repeat(levels)}1${"]".repeat(levels)}`);

/** What every store does; run by each of them. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`store: ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    test("a row is kept, replaced and deleted", async () => {
      await store.transaction((t) => t.put("deliveries", delivery("a", { attempts: 1 })));
      await store.transaction((t) => t.put("deliveries", delivery("a", { attempts: 2 })));
      expect(await store.transaction((t) => t.get("deliveries", "a"))).toEqual(
        delivery("a", { attempts: 2 }),
      );
      await store.transaction((t) => t.delete("deliveries", "a"));
      await store.transaction((t) => t.delete("deliveries", "never there"));
      expect(await store.transaction((t) => t.get("deliveries", "a"))).toBeUndefined();
    });

    test("a transaction sees its own changes, and a failed one leaves nothing", async () => {
      await store.transaction((t) => t.put("deliveries", delivery("old")));
      const failed = store.transaction(async (t) => {
        await t.put("deliveries", delivery("new"));
        await t.put("deliveries", delivery("old", { status: "failed" }));
        await t.delete("deliveries", "old");
        await t.put("deliveries", delivery("old", { status: "skipped" }));
        expect(await t.count("deliveries", { installation: "i1", status: "waiting" })).toBe(1);
        throw new Error("changed my mind");
      });
      await expect(failed).rejects.toThrow("changed my mind");
      const rows = await store.transaction((t) => t.list("deliveries", {}));
      expect(rows).toEqual([delivery("old")]);
      expect(
        await store.transaction((t) => t.list("deliveries", { installation: "i1", status: "waiting" })),
      ).toEqual(rows);
    });

    test("large rows aren't all read at once, but one always is", async () => {
      const input = "x".repeat(10_000);
      await store.transaction(async (t) => {
        for (const id of ["a", "b", "c", "d"]) await t.put("deliveries", delivery(id, { input }));
      });
      const listed = async (bytes: number, limit = 50): Promise<readonly string[]> =>
        await store.transaction(async (t) => {
          const rows = await t.list(
            "deliveries",
            { installation: "i1", status: "waiting" },
            { limit, bytes },
          );
          return rows.map(({ id }) => id);
        });
      expect(await listed(1_000_000)).toEqual(["a", "b", "c", "d"]);
      expect(await listed(1_000_000, 3)).toEqual(["a", "b", "c"]);
      // A store that has its rows in memory anyway gives them all.
      if ((await listed(1)).length === 4) return;
      expect(await listed(1)).toEqual(["a"]);
      expect(await listed(15_000)).toEqual(["a", "b"]);
    });

    test("rows are found by each index, in the order in which they were added", async () => {
      await store.transaction(async (t) => {
        for (const id of ["c", "a", "b"]) await t.put("deliveries", delivery(id));
        await t.put("deliveries", delivery("x", { installation: "i2" }));
        const { installation: _, ...unrouted } = delivery("u", { status: "unroutable" });
        await t.put("deliveries", unrouted);
      });
      const ids = (where: { installation: string; status: Delivery["status"] }, limit?: number) =>
        store.transaction(async (t) =>
          (await t.list("deliveries", where, limit === undefined ? {} : { limit })).map(({ id }) => id),
        );
      expect(await ids({ installation: "i1", status: "waiting" })).toEqual(["c", "a", "b"]);
      expect(await ids({ installation: "i1", status: "waiting" }, 2)).toEqual(["c", "a"]);
      // A row keeps its place, also when it leaves what an index finds and comes back.
      for (const status of ["failed", "waiting"] as const)
        await store.transaction((t) => t.put("deliveries", delivery("c", { status })));
      expect(await ids({ installation: "i1", status: "waiting" })).toEqual(["c", "a", "b"]);
      expect(await ids({ installation: "none", status: "waiting" })).toEqual([]);
      const app = await store.transaction((t) => t.list("deliveries", { app: "desk", status: "unroutable" }));
      expect(app.map(({ id }) => id)).toEqual(["u"]);
      expect(await store.transaction((t) => t.count("deliveries", {}))).toBe(5);
    });

    test("what no index finds is refused", async () => {
      await expect(store.transaction((t) => t.list("deliveries", { intake: "x" }))).rejects.toThrow(/index/);
    });

    test("values come back as they were", async () => {
      const input: Json = JSON.parse(
        '{"__proto__": {"a": 1}, "constructor": null, "": [], "0": "\\u0000\\ud83d\\ude00", "half \\udc00": "\\ud800\\\\"}',
      );
      const exact: Json = { id: new ExactNumber("12345678901234567890") as unknown as Json };
      await store.transaction(async (t) => {
        await t.put("deliveries", delivery("names", { input }));
        await t.put("deliveries", delivery("exact", { input: exact }));
        await t.put("deliveries", delivery("deep", { input: deep(8_000) }));
        await t.put("deliveries", delivery("é/%'\"; DROP TABLE deliveries; --"));
      });
      const inputOf = async (id: string) => (await store.transaction((t) => t.get("deliveries", id)))?.input;
      expect(JSON.stringify(await inputOf("names"))).toBe(JSON.stringify(input));
      expect(String(((await inputOf("exact")) as { id: unknown }).id)).toBe("12345678901234567890");
      let levels = 0;
      for (let value = await inputOf("deep"); Array.isArray(value); value = value[0]) levels++;
      expect(levels).toBe(8_000);
      expect(await store.transaction((t) => t.count("deliveries", {}))).toBe(4);
    });

    test("transactions run one after the other", async () => {
      const add = () =>
        store.transaction(
          async (t) => {
            const row = (await t.get("deliveries", "n")) ?? delivery("n");
            await Promise.resolve();
            await t.put("deliveries", { ...row, attempts: row.attempts + 1 });
          },
          { durable: false },
        );
      await Promise.all(Array.from({ length: 50 }, add));
      expect((await store.transaction((t) => t.get("deliveries", "n")))?.attempts).toBe(50);
    });

    test("exclusive work waits in line, by key; a signal ends the waiting only", async () => {
      const done: string[] = [];
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const first = store.exclusive("k", () => gate.then(() => void done.push("first")));
      const stop = new AbortController();
      const given = store.exclusive("k", async () => void done.push("never"), stop.signal);
      const third = store.exclusive("k", async () => void done.push("third"));
      await store.exclusive("other", async () => void done.push("other"));
      stop.abort(new Error("enough"));
      await expect(given).rejects.toThrow("enough");
      expect(done).toEqual(["other"]);
      release();
      await Promise.all([first, third]);
      expect(done).toEqual(["other", "first", "third"]);
      await expect(store.exclusive("k", () => Promise.reject(new Error("mine")))).rejects.toThrow("mine");
      await store.exclusive("k", async () => void done.push("last"));
      expect(done.at(-1)).toBe("last");
    });
  });
}
