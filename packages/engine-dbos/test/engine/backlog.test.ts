import type { Job, Json, Turn } from "@configc/runtime";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../../test/support/postgres.ts";
import { Backlog } from "../../src/engine/backlog.ts";
import { Database } from "../../src/postgres/database.ts";
import { fleetDatabase } from "../support/database.ts";
import { dbosEngine } from "../support/engine.ts";
import { gate } from "./contract.ts";

const PLACES = 8;
const NEVER = 1_000_000;

const jobs = (number: number): Job[] =>
  Array.from({ length: number }, (_, n) => ({
    queue: "work",
    key: `app/${n}`,
    id: `poll app/${n}`,
    input: n,
  }));

async function opened() {
  const url = await fleetDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return { url, client };
}

/** Entries of indexes and rows of tables that the server has gone through, in all that it was asked for. */
async function goneThrough(client: pg.Client): Promise<number> {
  // What connections counted is told a second later at the latest.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  const { rows } = await client.query<{ read: string }>(
    `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes) + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables) AS read`,
  );
  return Number(rows[0]?.read);
}

/** What the server goes through for each of the first jobs that are done, and how many it has in the engine at most. */
async function costOf(waiting: number, done: number) {
  const { url, client } = await opened();
  const engine = dbosEngine(url, { queueInterval: 50 });
  onTestFinished(() => engine.close(0));
  const [go, enough, all] = [gate(), gate(), gate()];
  let ended = 0;
  const work = async (): Promise<Json> => {
    await go.passed;
    if (++ended === done) enough.open();
    if (ended > done) await all.passed;
    return null;
  };
  await engine.serve([{ name: "work", parallel: PLACES, share: () => "app", work }]);
  await engine.enqueue(...jobs(waiting));
  await client.query("ANALYZE");
  const before = await goneThrough(client);
  go.open();
  await enough.passed;
  const after = await goneThrough(client);
  const { rows } = await client.query<{ active: number }>(
    "SELECT count(*)::int AS active FROM dbos.workflow_status WHERE status IN ('ENQUEUED', 'PENDING')",
  );
  all.open();
  await engine.close(0);
  return { each: (after - before) / done, active: rows[0]?.active ?? NEVER };
}

const turn = (member: string, since: number): Turn => ({ member, since });

describe.skipIf(noPostgres !== undefined)("a backlog", () => {
  test("what waits costs the jobs that are done nothing, and the engine has few of them", async () => {
    const few = await costOf(200, 150);
    const many = await costOf(4_000, 150);
    expect(few.active).toBeLessThanOrEqual(2 * PLACES);
    expect(many.active).toBeLessThanOrEqual(2 * PLACES);
    // Whoever walked along what waits would go through 3,800 more. How often is looked while a job is done is a matter of the machine.
    expect(many.each - few.each).toBeLessThan(400);
  }, 180_000);

  test("to add what is due costs the same however much waits, also while nothing is known of the table", async () => {
    const { url, client } = await opened();
    const database = new Database({ url, connections: 3 });
    onTestFinished(() => database.close());
    // As a fleet's is that had nothing to wait for until an outage.
    await client.query("ALTER TABLE configc.backlog SET (autovacuum_enabled = off); ANALYZE configc.backlog");
    const backlog = new Backlog(database);
    const added: number[] = [];
    for (let from = 0; from < 5_000; from += 1_000) {
      const before = await goneThrough(client);
      await backlog.add(
        jobs(from + 1_000)
          .slice(from)
          .map((job) => ({ ...job, share: "app", turn: turn(job.key, 1) })),
      );
      added.push((await goneThrough(client)) - before);
    }
    // Whoever walked along what waits would go through a thousand times as many.
    expect(Math.max(...added)).toBeLessThan(10_000);
  }, 60_000);

  test("the latest come first, and the many of one customer not before the few of others", async () => {
    const { url } = await opened();
    const database = new Database({ url, connections: 3 });
    onTestFinished(() => database.close());
    const backlog = new Backlog(database);
    const now = Date.now();
    const at = (id: string, member: string, since: number) => ({
      queue: "work",
      key: id,
      id,
      input: null,
      share: "app",
      turn: turn(member, since),
    });
    await backlog.add([
      ...Array.from({ length: 5 }, (_, n) => at(`big${n}`, "big", now - 60_000)),
      at("small", "small", now - 59_500),
      at("late", "other", now - 120_000),
    ]);
    // Also those that come by another look.
    await backlog.add([at("big5", "big", now - 60_000), at("tiny", "tiny", now - 57_500)]);
    const begun: string[] = [];
    const begin = async ({ id }: { readonly id: string }): Promise<void> => void begun.push(id);
    const take = () => backlog.take({ queue: { name: "work", parallel: 1 }, begin });
    while ((await take()) > 0);
    // Two at a time, which are begun at once.
    const pairs = [0, 2, 4, 6].map((from) => begun.slice(from, from + 2).sort());
    expect(pairs).toEqual([
      ["big0", "late"],
      ["big1", "small"],
      ["big2", "tiny"],
      ["big3", "big4"],
    ]);
    expect(begun.at(-1)).toBe("big5");
  });

  test("a job that is begun by no one stays where it was, and no two workers take the same", async () => {
    const { url } = await opened();
    const [one, two] = [0, 1].map(() => {
      const database = new Database({ url, connections: 3 });
      onTestFinished(() => database.close());
      return new Backlog(database);
    }) as [Backlog, Backlog];
    await one.add(jobs(4).map((job) => ({ ...job, share: "app" })));
    const options = { queue: { name: "work", parallel: 2 } };
    const fails = one.take({ ...options, begin: () => Promise.reject(new Error("It died.")) });
    await expect(fails).rejects.toThrow("It died.");
    expect(await one.waiting(["work"])).toBe(4);
    const begun: string[] = [];
    let others = -1;
    const begin = async ({ id }: { readonly id: string }): Promise<void> => {
      if (others < 0) {
        others = 0;
        others = await two.take({ ...options, begin: async ({ id: second }) => void begun.push(second) });
      }
      begun.push(id);
    };
    await one.take({ ...options, begin });
    expect(others).toBe(0);
    expect(begun.sort()).toEqual([0, 1, 2, 3].map((n) => `poll app/${n}`));
  });
});
