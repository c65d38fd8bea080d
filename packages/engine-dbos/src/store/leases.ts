import { randomUUID } from "node:crypto";
import { Locks, RunError } from "@configc/runtime";
import { abortable } from "@configc/runtime/internal";
import { type Database, pause } from "../postgres/database.ts";
import type { Listener } from "../postgres/listener.ts";
import type { Fence } from "./fence.ts";
import { columnText } from "./text.ts";

/** Signs of life that a holder can miss. */
const SIGNS = 3;
/** Between two looks of one who waits and may not have been told. */
const LOOK = 1_000;

interface Held {
  readonly lost: AbortController;
  /** When the last sign of life was sent that was understood; by our own clock, which doesn't jump. */
  since: number;
}

/**
 * Locks over all processes, as rows in a table: any number of them needs no connection of its own, poolers may stand in between, and a
 * restart of the server doesn't free them. A lock is lost by a process that dies or stands still for the time of a lease.
 *
 * First come, first served: within a process by a line, among processes by the queue in the row. Whoever gives a lock back hands it to the
 * next in the queue and tells him. A turn is a turn of one line: after it the process queues up again.
 */
export class Leases {
  readonly #database: Database;
  readonly #pulse: Database;
  readonly #listener: Listener;
  readonly #lines = new Locks();
  readonly #held = new Map<string, Held>();
  readonly #fence: Fence;
  readonly #lease: number;
  #signs: NodeJS.Timeout | undefined;

  /**
   * @param pulse connection for the signs of life: they mustn't wait until others have done their work
   * @param lease milliseconds after which a lock is free whose holder gave no sign of life
   */
  constructor(database: Database, pulse: Database, listener: Listener, fence: Fence, lease: number) {
    this.#database = database;
    this.#pulse = pulse;
    this.#listener = listener;
    this.#fence = fence;
    this.#lease = lease;
  }

  /**
   * @param work is given a signal that says that the lock was lost
   * @param signal ends the waiting, not the work
   * @throws RunError `StoreError` if the database stays away; what the work throws
   */
  run<R>(key: string, work: (lost: AbortSignal) => Promise<R>, signal?: AbortSignal): Promise<R> {
    return this.#lines.run(key, () => this.#turn(columnText(key), work, signal), signal);
  }

  /** Resolves when none is held (any more). */
  async close(): Promise<void> {
    await this.#lines.idle();
    clearInterval(this.#signs);
  }

  async #turn<R>(key: string, work: (lost: AbortSignal) => Promise<R>, signal?: AbortSignal): Promise<R> {
    const token = randomUUID();
    const since = await this.#acquire(key, token, signal);
    const held: Held = { lost: new AbortController(), since };
    this.#held.set(token, held);
    this.#signs ??= setInterval(() => void this.#renew(), this.#lease / SIGNS).unref();
    try {
      return await this.#fence.run(token, () => work(held.lost.signal));
    } finally {
      this.#held.delete(token);
      if (this.#held.size === 0) {
        clearInterval(this.#signs);
        this.#signs = undefined;
      }
      // Who can't give it back lets it run out: what the work came to is more important.
      await this.#release(token).catch(() => undefined);
    }
  }

  /** @returns when it was asked for the time that worked */
  async #acquire(key: string, token: string, signal: AbortSignal | undefined): Promise<number> {
    let told = (): void => undefined;
    const silence = this.#listener.on(`lock ${token}`, () => told());
    let queued = false;
    try {
      for (;;) {
        const now = performance.now();
        const heard = new Promise<void>((resolve) => (told = resolve));
        if (await this.#take(key, token)) return now;
        if (!queued) queued = await this.#queue(key, token);
        // It was given back in between.
        if (!queued) continue;
        const wait = soonest(heard, LOOK * (0.75 + Math.random() / 2));
        await (signal === undefined ? wait : abortable(wait, signal));
      }
    } catch (error) {
      if (queued) await this.#leave(key, token).catch(() => undefined);
      throw error;
    } finally {
      silence();
    }
  }

  /** Takes a lock that nobody has, that has run out, or that was handed over. */
  async #take(key: string, token: string): Promise<boolean> {
    const taken = await this.#database.query(
      `INSERT INTO configc.locks AS l (key, token, expires) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 ms')
      ON CONFLICT (key) DO UPDATE SET token = excluded.token, expires = excluded.expires, queue = array_remove(l.queue, excluded.token)
      WHERE l.expires < clock_timestamp() OR l.token = excluded.token RETURNING key`,
      [key, token, this.#lease],
    );
    return taken.length > 0;
  }

  async #queue(key: string, token: string): Promise<boolean> {
    const queued = await this.#database.query(
      "UPDATE configc.locks SET queue = array_append(array_remove(queue, $2), $2::uuid) WHERE key = $1 RETURNING key",
      [key, token],
    );
    return queued.length > 0;
  }

  async #leave(key: string, token: string): Promise<void> {
    await this.#database.query(
      "UPDATE configc.locks SET queue = array_remove(queue, $2::uuid) WHERE key = $1",
      [key, token],
    );
    // It may have been handed over just before.
    await this.#release(token);
  }

  /** Hands a lock to the next in its queue, and tells him; or ends it. */
  async #release(token: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      const [done] = await this.#database.query<{ settled: boolean }>(
        `WITH ended AS (DELETE FROM configc.locks WHERE token = $1 AND queue = '{}' RETURNING key),
        handed AS (
          UPDATE configc.locks SET token = queue[1], queue = queue[2:], expires = clock_timestamp() + $2 * interval '1 ms'
          WHERE token = $1 AND queue <> '{}' RETURNING token
        )
        SELECT (SELECT count(*) FROM ended) + (SELECT count(pg_notify('configc', 'lock ' || token)) FROM handed) > 0
          OR NOT EXISTS (SELECT FROM configc.locks WHERE token = $1) AS settled`,
        [token, this.#lease],
      );
      // Else somebody queued up at the very moment.
      if (done?.settled !== false || tries === 5) return;
      await pause(1);
    }
  }

  /** A sign of life for all locks at once. */
  async #renew(): Promise<void> {
    const tokens = [...this.#held.keys()];
    const now = performance.now();
    try {
      const renewed = await this.#pulse.query<{ token: string }>(
        `UPDATE configc.locks SET expires = clock_timestamp() + $2 * interval '1 ms'
        WHERE key IN (SELECT key FROM configc.locks WHERE token = ANY($1::uuid[]) ORDER BY key FOR NO KEY UPDATE)
        AND token = ANY($1::uuid[]) RETURNING token`,
        [tokens, this.#lease],
      );
      const known = new Set(renewed.map(({ token }) => token));
      for (const token of tokens) {
        const held = this.#held.get(token);
        if (held === undefined) continue;
        if (known.has(token)) held.since = now;
        else lose(held);
      }
    } catch {
      // The database is away: it may come back in time.
    }
    for (const held of this.#held.values()) if (performance.now() - held.since > this.#lease) lose(held);
  }
}

function lose({ lost }: Held): void {
  lost.abort(
    new RunError(
      "StoreError",
      "The lock was lost under which this ran; another process may have it.",
      undefined,
    ),
  );
}

async function soonest(event: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([event, late]).finally(() => clearTimeout(timer));
}
