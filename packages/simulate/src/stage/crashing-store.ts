import type { Store } from "@configc/runtime";
import type { Fault } from "../world/fault.ts";

/** Thrown by everything that a process does after its end. */
class Crashed extends Error {
  constructor() {
    super("the process ended");
    this.name = "Died";
  }
}

/** A store whose process ends before some commits: what they would have kept is gone, what was kept before isn't. */
export class CrashingStore {
  readonly store: Store;
  readonly #deaths: readonly Fault[];
  #step = 1;
  #commits = 0;
  #isDead = false;

  constructor(kept: Store, faults: readonly Fault[]) {
    this.#deaths = faults.filter(({ what }) => what === "death");
    this.store = {
      transaction: async (work, options) => {
        this.alive();
        return await kept.transaction(async (transaction) => {
          let isWritten = false;
          const result = await work({
            ...transaction,
            put: async (table, row) => {
              isWritten = true;
              await transaction.put(table, row);
            },
            delete: async (table, id) => {
              isWritten = true;
              await transaction.delete(table, id);
            },
          });
          if (isWritten) this.#commit();
          return result;
        }, options);
      },
      exclusive: async (key, work, signal) => {
        this.alive();
        return await kept.exclusive(key, work, signal);
      },
      close: () => kept.close(),
    };
  }

  /** Begins to count commits anew. */
  begin(step: number): void {
    this.#step = step;
    this.#commits = 0;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** A new process over what was kept; it has no other end before it in this step. */
  revive(): void {
    this.#isDead = false;
    this.#commits = Number.POSITIVE_INFINITY;
  }

  /** @throws Died */
  alive(): void {
    if (this.#isDead) throw new Crashed();
  }

  #commit(): void {
    this.#commits++;
    if (!this.#deaths.some(({ step, at }) => step === this.#step && at === this.#commits)) return;
    this.#isDead = true;
    throw new Crashed();
  }
}
