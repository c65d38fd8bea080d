import { hostname } from "node:os";
import type { Database } from "../postgres/database.ts";

/** Signs of life in the time after which a worker is taken for dead. */
const SIGNS = 6;

interface SlotOptions {
  readonly database: Database;
  readonly slot: string;
  /** Name of the key that the worker seals with. */
  readonly key: string;
  /** Milliseconds after which a worker is taken for dead. */
  readonly silence: number;
  /** Lets the runs of a worker that has ended wait for others. */
  readonly takeOver: (slot: string) => Promise<number>;
  /** Is told of workers whose runs were taken over. */
  readonly tookOver: (slot: string, runs: number) => void;
  /** Is told that another process has taken the slot: this one must end. */
  readonly replaced: () => void;
  /** The worker's clock: milliseconds since 1970. */
  readonly now: () => number;
  /** Is told, with each sign, by how many milliseconds that is ahead of the database's, if it is by more than half a minute; negative: behind. */
  readonly apart: (milliseconds: number) => void;
}

/** Milliseconds. What is due is taken for a mistake if it lies a minute ahead, and two workers may be wrong to both sides. */
const APART = 30_000;

/**
 * Says that a worker lives, and looks after the others: the runs of one that gave no sign for a while are taken over. If it lives
 * after all, it finds out at its next step.
 */
export class Slot {
  readonly #options: SlotOptions;
  readonly #process = crypto.randomUUID();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  /** Since when signs have been given without a gap: while the database was away nobody could give any. */
  #clear = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { database, slot, key } = this.#options;
    await database.query(
      `INSERT INTO configc.workers (slot, process, seen, since, about, key) VALUES ($1, $2, clock_timestamp(), clock_timestamp(), $3, $4)
      ON CONFLICT (slot) DO UPDATE SET process = excluded.process, seen = excluded.seen, since = excluded.since, about = excluded.about, key = excluded.key`,
      [slot, this.#process, `${hostname()} ${process.pid}`, key],
    );
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#sign()).catch(() => undefined);
    }, this.#options.silence / SIGNS).unref();
  }

  /** A worker that ends in good order isn't missed. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    await this.#options.database
      .query("DELETE FROM configc.workers WHERE slot = $1 AND process = $2", [
        this.#options.slot,
        this.#process,
      ])
      .catch(() => undefined);
  }

  async #sign(): Promise<void> {
    const { database, slot, silence, replaced, takeOver, tookOver, apart } = this.#options;
    const now = performance.now();
    if (now - this.#last > silence / 2) this.#clear = now;
    const asked = this.#options.now();
    const [found] = await database.query<{ at: number }>(
      "UPDATE configc.workers SET seen = clock_timestamp() WHERE slot = $1 AND process = $2 RETURNING extract(epoch FROM seen)::float8 * 1000 AS at",
      [slot, this.#process],
    );
    this.#last = performance.now();
    if (found === undefined) {
      clearInterval(this.#timer);
      return replaced();
    }
    // However long the answer was under way: the database's time lies between the question and it.
    const [ahead, behind] = [asked - found.at, this.#options.now() - found.at];
    if (ahead > APART || behind < -APART) apart(ahead > APART ? ahead : behind);
    if (now - this.#clear < silence) return;
    const dead = await database.query<{ slot: string }>(
      "SELECT slot FROM configc.workers WHERE seen < clock_timestamp() - $1 * interval '1 ms'",
      [silence],
    );
    for (const { slot: silent } of dead) {
      const runs = await takeOver(silent);
      // Afterwards: if this one dies in between, another does it.
      await database.query(
        "DELETE FROM configc.workers WHERE slot = $1 AND seen < clock_timestamp() - $2 * interval '1 ms'",
        [silent, silence],
      );
      tookOver(silent, runs);
    }
  }
}
