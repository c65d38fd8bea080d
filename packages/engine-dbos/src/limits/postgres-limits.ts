import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type LimitOptions, Locks, type RateLimits, type Release } from "@configc/runtime";
import { abortable, PutOffs, TooLong } from "@configc/runtime/internal";
import type { Database } from "../postgres/database.ts";
import type { Listener } from "../postgres/listener.ts";
import { columnText } from "../store/text.ts";

type Quota = Parameters<RateLimits["acquire"]>[1];

/** A place of a window. */
interface Given {
  /** Milliseconds from `at` until the request may be sent. */
  readonly wait: number;
  /** By `performance.now`. */
  readonly at: number;
  /** It stood in line for it. */
  readonly queued: boolean;
}

/** Milliseconds that may pass between the time for which a place was given and the sending. */
const LATE = 5_000;
/** Between two looks of one who waits and may not have been told. */
const LOOK = 2_000;
/** Between two clean-ups. */
const CLEAN = 60 * 60_000;

/**
 * Request limits over all workers: exact sliding windows by the database's clock (see `limitTables`). Turns are taken in the order of asking,
 * among workers too, each of which asks for one request of a window at a time. Nobody asks again and again: who is given a place is told
 * from when on he has it.
 *
 * The places of a worker that died are free when its requests are certainly over, and the period after them.
 */
export class PostgresLimits implements RateLimits {
  readonly #database: Database;
  readonly #listener: Listener;
  readonly #lines = new Locks();
  readonly #releases = new Set<Promise<unknown>>();
  /** By window. */
  readonly #putOffs = new Map<string, PutOffs>();
  readonly #cleaning: NodeJS.Timeout;

  constructor(database: Database, listener: Listener) {
    this.#database = database;
    this.#listener = listener;
    this.#cleaning = setInterval(() => {
      this.#putOffs.clear();
      this.#database.query("SELECT configc.limit_clean()").catch(() => undefined);
    }, CLEAN).unref();
  }

  async acquire(key: string, quota: Quota, options: LimitOptions): Promise<Release> {
    const { signal, longest, onWait, patience } = options;
    const window = columnText(key);
    const hold = LATE + longest + quota.period * 1_000;
    const began = performance.now();
    for (;;) {
      const token = randomUUID();
      const release = (wasSent: boolean): void => this.#release(window, token, quota, wasSent);
      try {
        const given =
          patience === undefined
            ? await this.#inLine(window, quota, token, hold, signal)
            : await this.#within(patience, window, quota, token, hold, signal);
        const wait = Math.ceil(given.wait);
        const waited = wait + (performance.now() - began);
        if (wait > 0 || given.queued) onWait(Math.round(waited));
        if (wait > 0) await sleep(wait, undefined, { signal });
        signal.throwIfAborted();
        // Who stood still has a place of which others think that its request is over.
        if (performance.now() - given.at <= wait + LATE) return once(() => release(true));
        release(false);
      } catch (error) {
        release(false);
        throw signal.aborted ? signal.reason : error;
      }
    }
  }

  /** Resolves when all that has ended is known to have. */
  async close(): Promise<void> {
    clearInterval(this.#cleaning);
    await this.#lines.idle();
    while (this.#releases.size > 0) await Promise.all(this.#releases);
  }

  #inLine(window: string, quota: Quota, token: string, hold: number, signal: AbortSignal): Promise<Given> {
    return this.#lines.run(window, () => this.#ask(window, quota, token, hold, signal), signal);
  }

  /**
   * The same for one that doesn't wait for long. If it isn't known when it may be sent, all places are taken by requests that are under way, or by
   * others that wait: then the next one is hardly free before a period has passed.
   *
   * @throws TooLong
   */
  async #within(
    patience: number,
    window: string,
    quota: Quota,
    token: string,
    hold: number,
    signal: AbortSignal,
  ): Promise<Given> {
    const period = quota.period * 1_000;
    let given: Given | undefined;
    if (period > patience) {
      const at = performance.now();
      const wait = await this.#place(window, quota, token, hold);
      given = wait === undefined ? undefined : { wait, at, queued: false };
    } else {
      const enough = new AbortController();
      const end = (): void => enough.abort(signal.reason);
      signal.addEventListener("abort", end, { once: true });
      const timer = setTimeout(() => enough.abort(), patience);
      try {
        given = await this.#inLine(window, quota, token, hold, enough.signal);
      } catch (error) {
        if (signal.aborted || !enough.signal.aborted) throw error;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
      }
    }
    const wait = given?.wait ?? period;
    if (given !== undefined && wait <= patience) return given;
    let putOffs = this.#putOffs.get(window);
    if (putOffs === undefined) this.#putOffs.set(window, (putOffs = new PutOffs()));
    throw new TooLong(putOffs.next(wait, quota, performance.now()));
  }

  /** @returns in how many milliseconds it may be sent; undefined if that isn't known: it has to wait in line */
  async #place(
    window: string,
    { requests }: Quota,
    token: string,
    hold: number,
  ): Promise<number | undefined> {
    const [row] = await this.#database.query<{ wait: number | null }>(
      "SELECT configc.limit_acquire($1, $2, $3, $4) AS wait",
      [window, requests, token, hold],
    );
    return row?.wait ?? undefined;
  }

  /** @returns in how many milliseconds the request may be sent, from when it was asked at `at` */
  async #ask(window: string, quota: Quota, token: string, hold: number, signal: AbortSignal): Promise<Given> {
    let tell = (): void => undefined;
    let silence: (() => void) | undefined;
    try {
      for (;;) {
        const told = new Promise<void>((resolve) => {
          tell = resolve;
        });
        const at = performance.now();
        const wait = await this.#place(window, quota, token, hold);
        if (wait !== undefined) return { wait, at, queued: silence !== undefined };
        if (silence === undefined) {
          silence = this.#listener.on(`limit ${token}`, () => tell());
          // It may have been told just before.
          continue;
        }
        await abortable(Promise.race([told, sleep(LOOK, undefined, { ref: false })]), signal);
      }
    } finally {
      silence?.();
    }
  }

  #release(window: string, token: string, { period }: Quota, wasSent: boolean): void {
    const released = this.#database
      .query("SELECT configc.limit_release($1, $2, $3, $4)", [window, token, period * 1_000, wasSent])
      // The place is free by itself, only later.
      .catch(() => undefined)
      .finally(() => this.#releases.delete(released));
    this.#releases.add(released);
  }
}

function once(action: () => void): Release {
  let over = false;
  return () => {
    if (over) return;
    over = true;
    action();
  };
}
