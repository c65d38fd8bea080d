import type { Job, Json, Queue } from "@configc/runtime";
import type pg from "pg";
import { type Database, transactionLimits } from "../postgres/database.ts";
import { columnText } from "../store/text.ts";
import { JOURNAL } from "./journal.ts";
import { divide, type Share } from "./shares.ts";

/** A job whose turn has come. */
export interface Taken {
  readonly id: string;
  readonly key: string;
  readonly input: Json;
  /** Whether it runs on top of the places. */
  readonly onTop: boolean;
}

interface TakeOptions {
  /** `parallel` of it are the places that there are at least: this worker's own. */
  readonly queue: Pick<Queue, "name" | "parallel" | "shares" | "circuit" | "probed">;
  /** Brings a job into the engine. */
  readonly begin: (taken: Taken) => Promise<void>;
}

/** Rows of one statement. */
const BATCH = 1_000;

/** Milliseconds by which a member's jobs come after one another in the line, if others wait too. */
const SPREAD = 1_000;

/** Of advisory locks of ours: `back` in ASCII. */
const LOCKS = 0x6261636b;

/** The engine's queue of the jobs that run on top of the places of another queue (E247). */
export const onTopOf = (queue: string): string => `${queue}${ON_TOP}`;
const ON_TOP = " on top";

const active = `SELECT FROM ${JOURNAL}.workflow_status w
  WHERE w.queue_name IN ($1, $1 || '${ON_TOP}') AND w.status IN ('ENQUEUED', 'PENDING') AND w.queue_partition_key`;

/**
 * A job that waits already keeps its place, but needn't wait for its time any more if this one needn't. A member's jobs are put one
 * after the other, so that the many of one don't come before the few of others.
 */
const add = `
  WITH given AS (
    SELECT g.*, row_number() OVER (PARTITION BY share, member ORDER BY since, id) - 1 AS before
    FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[], $8::boolean[])
      AS g (id, key, input, share, member, since, behind)
  )
  INSERT INTO configc.backlog AS b (queue, id, key, input, share, member, turn, starts)
  SELECT $1, id, key, input, share, member,
    coalesce($9::timestamptz, CASE WHEN since > 0 THEN to_timestamp(since / 1000) ELSE clock_timestamp() END
      + (before + CASE WHEN member = '' THEN 0 ELSE (
          SELECT count(*) FROM configc.backlog m
          WHERE m.queue || '/' || m.share || '/' || m.member = $1 || '/' || g.share || '/' || g.member AND m.starts IS NULL
        ) END) * interval '${SPREAD} ms'),
    $9
  FROM given g WHERE behind OR NOT EXISTS (${active} = g.key)
  ORDER BY id
  ON CONFLICT (queue, id) DO UPDATE SET starts = NULL, turn = excluded.turn
  WHERE b.starts IS NOT NULL AND excluded.starts IS NULL`;

/** What waits and what there is, share by share: a look at an index for each share, not for each job. */
const look = `
  WITH RECURSIVE waiting AS (
    (SELECT share FROM configc.backlog WHERE queue = $1 AND starts IS NULL ORDER BY share LIMIT 1)
    UNION ALL
    SELECT (
      SELECT b.share FROM configc.backlog b WHERE b.queue = $1 AND b.starts IS NULL AND b.share > waiting.share ORDER BY b.share LIMIT 1
    ) FROM waiting WHERE waiting.share IS NOT NULL
  ), active AS MATERIALIZED (
    SELECT queue_partition_key AS key, queue_name <> $1 AS on_top, queue_name = $1 AND status = 'PENDING' AS placed
    FROM ${JOURNAL}.workflow_status
    WHERE queue_name IN ($1, $1 || '${ON_TOP}') AND status IN ('ENQUEUED', 'PENDING') AND queue_partition_key IS NOT NULL
  ), places AS MATERIALIZED (
    SELECT coalesce(sum((places ->> $1)::int), 0)::int AS places FROM configc.workers WHERE seen > clock_timestamp() - interval '30 s'
  ), whole AS MATERIALIZED (
    SELECT count(*)::int AS active, count(*) FILTER (WHERE placed)::int AS placed, count(*) FILTER (WHERE on_top)::int AS on_top FROM active
  )
  SELECT waiting.share AS name, places.places, whole.active AS "allActive", whole.placed AS "allPlaced", whole.on_top AS "allOnTop", own.*
  FROM waiting CROSS JOIN places CROSS JOIN whole CROSS JOIN LATERAL (
    SELECT count(*)::int AS active, count(*) FILTER (WHERE placed)::int AS placed, count(*) FILTER (WHERE on_top)::int AS "onTop"
    FROM active WHERE starts_with(key, waiting.share || '/')
  ) own
  WHERE waiting.share IS NOT NULL`;

const take = `
  SELECT b.id, b.key, b.input, b.nth <= s.on_top AS "onTop" FROM unnest($2::text[], $3::int[], $4::int[]) AS s (share, most, on_top)
  CROSS JOIN LATERAL (
    SELECT id, key, input, row_number() OVER (ORDER BY turn) AS nth FROM configc.backlog b
    WHERE b.queue = $1 AND b.share = s.share AND b.starts IS NULL AND NOT EXISTS (${active} = b.key)
    ORDER BY b.turn LIMIT s.most
  ) b`;

/** What is asked again and again, for a test of how it is done. */
export const hotStatements = { add, look, take };

interface Waiting extends Omit<Share, "circuit"> {
  readonly places: number;
  readonly allActive: number;
  readonly allPlaced: number;
  readonly allOnTop: number;
}

interface Turn extends Omit<Taken, "input"> {
  readonly input: string;
}

/** The jobs that wait, in our own table, and how they come into the engine: as many as the workers can take, each share in its turn. */
export class Backlog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param starts milliseconds since 1970: they aren't begun before */
  async add(jobs: readonly (Job & { readonly share: string })[], starts?: number): Promise<void> {
    for (const queue of new Set(jobs.map((job) => job.queue))) {
      const all = jobs.filter((job) => job.queue === queue);
      for (let from = 0; from < all.length; from += BATCH) {
        const batch = [...new Map(all.slice(from, from + BATCH).map((job) => [job.id, job])).values()];
        await this.#database.query(add, [
          queue,
          batch.map(({ id }) => columnText(id)),
          batch.map(({ key }) => key),
          batch.map(({ input }) => JSON.stringify(input)),
          batch.map(({ share }) => columnText(share)),
          batch.map(({ turn }) => columnText(turn?.member ?? "")),
          batch.map(({ turn }) => turn?.since ?? 0),
          batch.map(({ behind = true }) => behind),
          starts === undefined ? null : new Date(starts),
        ]);
      }
    }
  }

  /**
   * Brings jobs into the engine whose turn has come; by one worker at a time, the others leave it to that.
   *
   * @returns how many
   */
  async take({ queue: given, begin }: TakeOptions): Promise<number> {
    const queue = given.name;
    const now = await this.#database.query(
      "SELECT 1 FROM configc.backlog WHERE queue = $1 AND (starts IS NULL OR starts <= clock_timestamp()) LIMIT 1",
      [queue],
    );
    if (now.length === 0) return 0;
    const client = await this.#database.connect();
    let broken = false;
    try {
      // What is known of a table may be old, and then all runs would be read instead of those that are active.
      await client.query(`BEGIN; ${transactionLimits} SET LOCAL enable_seqscan = off; SET LOCAL jit = off`);
      const taken = await this.#turns(client, given);
      // One for a key: those of one key come one after the other.
      const first = [...new Map(taken.toReversed().map((one) => [one.key, one])).values()];
      // Before they are begun: a job that comes now is one that waits behind them. Who dies in between leaves them where they were.
      if (first.length > 0)
        await client.query("DELETE FROM configc.backlog WHERE queue = $1 AND id = ANY($2)", [
          queue,
          first.map(({ id }) => id),
        ]);
      await Promise.all(
        first.map(({ input, ...one }) => begin({ ...one, input: JSON.parse(input) as Json })),
      );
      await client.query("COMMIT");
      return first.length;
    } catch (error) {
      broken = !(await client.query("ROLLBACK").then(
        () => true,
        () => false,
      ));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async #turns(client: pg.PoolClient, given: TakeOptions["queue"]): Promise<readonly Turn[]> {
    const queue = given.name;
    const locked = await client.query<{ taken: boolean }>(
      "SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS taken",
      [LOCKS, queue],
    );
    if (locked.rows[0]?.taken !== true) return [];
    await client.query(
      "UPDATE configc.backlog SET starts = NULL WHERE queue = $1 AND starts <= clock_timestamp()",
      [queue],
    );
    const { rows } = await client.query<Waiting>(look, [queue]);
    const [first] = rows;
    if (first === undefined) return [];
    const places = Math.max(given.parallel, first.places);
    const shares = rows.map((row) => ({ ...row, circuit: given.circuit?.(row.name) ?? "closed" }));
    const most = divide(shares, {
      places,
      active: first.allActive,
      placed: first.allPlaced,
      onTop: first.allOnTop,
      shares: Math.max(given.shares?.() ?? 1, rows.length),
    });
    if (most.size === 0) return [];
    for (const { name, circuit } of shares) if (circuit === "probe" && most.has(name)) given.probed?.(name);
    return (
      await client.query<Turn>(take, [
        queue,
        [...most.keys()],
        [...most.values()].map(({ jobs }) => jobs),
        [...most.values()].map(({ onTop }) => onTop),
      ])
    ).rows;
  }

  /** How many jobs of queues wait. */
  async waiting(queues: readonly string[]): Promise<number> {
    const [row] = await this.#database.query<{ waiting: number }>(
      "SELECT count(*)::int AS waiting FROM configc.backlog WHERE queue = ANY($1)",
      [queues],
    );
    return row?.waiting ?? 0;
  }
}
