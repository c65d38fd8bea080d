import type { RateLimits, Store } from "@configc/runtime";
import { PostgresLimits } from "../limits/index.ts";
import { Database } from "../postgres/database.ts";
import { Listener } from "../postgres/listener.ts";
import type { DatabaseOptions } from "../postgres/types.ts";
import { Fence } from "./fence.ts";
import { Leases } from "./leases.ts";
import { checkSchema } from "./migrate.ts";
import { Transactions } from "./transactions.ts";

/** What the store on Postgres takes. */
export interface PostgresStoreOptions extends DatabaseOptions {
  /**
   * Where messages of the database can be listened to, if `url` is that of a pooler that gives connections away between
   * transactions. Without it locks pass from one process to another within a second, instead of at once.
   */
  readonly listenUrl?: string;
  /** Milliseconds after which the locks of a process that died or stands still are free. Default 10,000. */
  readonly lease?: number;
}

/** A store on Postgres. Any number of processes may have it open. */
export interface PostgresStore extends Store {
  /**
   * One customer's part of the store, on the same connections: other customers' rows aren't there, and can't be written, whatever
   * statement is run. What an app saved for all its customers can be read, not written; a webhook for all of them is seen and registered by
   * the whole store only.
   *
   * @param tenant the host's id of the customer. Installations and connections that are made here belong to that one, and so does all
   * that is kept for them, by whomever
   */
  forTenant(tenant: string): Store;
  /** Request limits that hold over all processes, on the same connections. */
  readonly rateLimits: RateLimits;
}

/**
 * Opens a store on Postgres (14 or newer), which has to be prepared by `migrate`.
 *
 * Transactions are as if they ran one after the other; one that can't be fitted in runs again. While the database is away, operations wait for
 * `patience`; then they fail with `StoreError`, and the next ones try anew.
 *
 * @throws RunError `StoreError` if the database can't be reached, or its schema isn't the one of this version
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const database = new Database(options);
  try {
    await checkSchema(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const lease = options.lease ?? 10_000;
  const pulse = new Database({ url: options.url, connections: 1, patience: lease / 3 });
  const listener = new Listener(options.listenUrl ?? options.url);
  const fence = new Fence();
  const leases = new Leases(database, pulse, listener, fence, lease);
  const rateLimits = new PostgresLimits(database, listener);
  const transactions = new Transactions(database, fence);
  const running = new Set<Promise<unknown>>();
  const part = (tenant: string | undefined): Store => ({
    transaction(work, { durable = true } = {}) {
      const result = transactions.run(work, { durable, tenant });
      const ended = result.then(
        () => undefined,
        () => undefined,
      );
      running.add(ended);
      void ended.then(() => running.delete(ended));
      return result;
    },
    exclusive: (key, work, signal) => leases.run(key, work, signal),
    async close() {
      await leases.close();
      await Promise.all(running);
      if (tenant !== undefined) return;
      await rateLimits.close();
      await listener.close();
      await Promise.all([pulse.close(), database.close()]);
    },
  });
  return {
    ...part(undefined),
    rateLimits,
    forTenant(tenant) {
      if (tenant === "") throw new RangeError("A customer's id can't be empty.");
      return part(tenant);
    },
  };
}
