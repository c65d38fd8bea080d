import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { delivery, gate, noPostgres, openStore, preparedDatabase, rawClient } from "./support.ts";

describe.skipIf(noPostgres !== undefined)(`locks on Postgres ${noPostgres ?? ""}`, () => {
  const database = preparedDatabase();
  /** Longer than a busy machine stands still. */
  const short = { lease: 3_000 };

  test("one at a time over processes, in the order of asking, and handed over at once", async () => {
    const stores = await Promise.all([1, 2, 3].map(() => openStore(database.url)));
    const done: string[] = [];
    let inside = 0;
    const first = gate();
    const work = (name: string) => async () => {
      expect(++inside).toBe(1);
      if (name === "a1") await first.passed;
      // The process of the first has queued up again.
      if (name === "b1") await queues(2);
      done.push(name);
      inside--;
    };
    const client = await rawClient(database.url);
    const queues = (queued: number) =>
      expect
        .poll(() => client.query("SELECT cardinality(queue) AS queued FROM configc.locks WHERE key = 'line'"))
        .toMatchObject({ rows: [{ queued }] });
    const all: Promise<void>[] = [];
    for (const [index, name, queued] of [
      [0, "a1", 0],
      [1, "b1", 1],
      [2, "c1", 2],
      // A process queues up for one of its own line at a time.
      [0, "a2", 2],
      [1, "b2", 2],
    ] as const) {
      all.push(stores[index]!.exclusive("line", work(name)));
      await queues(queued);
    }
    const began = performance.now();
    first.open();
    await Promise.all(all);
    expect(done).toEqual(["a1", "b1", "c1", "a2", "b2"]);
    // They didn't wait until each would have looked again by himself.
    expect(performance.now() - began).toBeLessThan(2_900);
  });

  test("who gives up waiting leaves the queue", async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => openStore(database.url)));
    const held = gate();
    const first = one!.exclusive("left", () => held.passed);
    const stop = new AbortController();
    await sleep(30);
    const given = two!.exclusive("left", async () => "never", stop.signal);
    await sleep(30);
    const third = three!.exclusive("left", async () => "third");
    await sleep(30);
    stop.abort(new Error("enough"));
    await expect(given).rejects.toThrow("enough");
    held.open();
    await first;
    expect(await third).toBe("third");
    const { rows } = await (await rawClient(database.url)).query("SELECT key FROM configc.locks");
    expect(rows).toEqual([]);
  });

  test("a holder that died is waited for until its lease has run out; a queue of the dead, too", async () => {
    const client = await rawClient(database.url);
    const began = performance.now();
    await client.query(
      `INSERT INTO configc.locks (key, token, expires, queue) VALUES ('dead', gen_random_uuid(), clock_timestamp() + interval '500 ms', ARRAY[gen_random_uuid()])`,
    );
    const store = await openStore(database.url, short);
    expect(await store.exclusive("dead", async () => "mine")).toBe("mine");
    expect(performance.now() - began).toBeGreaterThan(450);
  });

  test("a lock is kept for as long as the work takes", async () => {
    const [one, two] = [await openStore(database.url, short), await openStore(database.url, short)];
    const done: string[] = [];
    const long = one.exclusive("long", async (lost) => {
      await sleep(4_000);
      expect(lost?.aborted).toBe(false);
      await one.transaction((t) => t.put("deliveries", delivery("long")));
      done.push("long");
    });
    await sleep(20);
    await Promise.all([long, two.exclusive("long", async () => void done.push("next"))]);
    expect(done).toEqual(["long", "next"]);
  });

  test("who has lost a lock is told, and can't overwrite what the next holder did", async () => {
    const [one, two] = [await openStore(database.url, short), await openStore(database.url)];
    const client = await rawClient(database.url);
    await one.exclusive("stolen", async (lost) => {
      await one.transaction((t) => t.put("deliveries", delivery("stolen", { attempts: 1 })));
      // As if this process had stood still.
      await client.query("UPDATE configc.locks SET expires = clock_timestamp() WHERE key = 'stolen'");
      await two.exclusive("stolen", async () => {
        await two.transaction((t) => t.put("deliveries", delivery("stolen", { attempts: 2 })));
        const late = one.transaction((t) => t.put("deliveries", delivery("stolen", { attempts: 3 })));
        await expect(late).rejects.toMatchObject({ kind: "StoreError", message: /lock .* was lost/ });
      });
      await expect.poll(() => lost?.aborted).toBe(true);
      // A lock of its own counts by itself.
      await one.exclusive("other", () => one.transaction((t) => t.put("deliveries", delivery("other"))));
    });
    const row = await one.transaction((t) => t.get("deliveries", "stolen"));
    expect(row?.attempts).toBe(2);
  });

  test("a transaction that is under way holds the lock's next owner up", async () => {
    const [one, two] = [await openStore(database.url), await openStore(database.url)];
    const client = await rawClient(database.url);
    const order: string[] = [];
    await one.exclusive("slow", async () => {
      let next: Promise<void> | undefined;
      await one.transaction(async (t) => {
        await t.put("deliveries", delivery("slow", { attempts: 1 }));
        await t.get("deliveries", "slow");
        await client.query("UPDATE configc.locks SET expires = clock_timestamp() WHERE key = 'slow'");
        next ??= two.exclusive("slow", async () => {
          const row = await two.transaction((r) => r.get("deliveries", "slow"));
          order.push(`next sees ${row?.attempts}`);
        });
        await sleep(200);
        order.push("kept");
      });
      await next;
    });
    expect(order).toEqual(["kept", "next sees 1"]);
  });

  test("200 locks at once take no more connections than the pool has", async () => {
    const store = await openStore(database.url, { ...short, connections: 4 });
    const client = await rawClient(database.url);
    const all = gate();
    let inside = 0;
    const held = Array.from({ length: 200 }, (_, index) =>
      store.exclusive(`many ${index}`, async (lost) => {
        if (++inside === 200) all.open();
        await all.passed;
        await sleep(4_000);
        expect(lost?.aborted).toBe(false);
      }),
    );
    await all.passed;
    const { rows } = await client.query<{ n: string }>(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name LIKE 'configc%' AND datname = current_database()",
    );
    expect(Number(rows[0]?.n)).toBeLessThanOrEqual(6);
    await Promise.all(held);
    expect((await client.query("SELECT FROM configc.locks WHERE key LIKE 'many%'")).rowCount).toBe(0);
  });
});
