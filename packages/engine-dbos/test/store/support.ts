import type { Delivery } from "@configc/runtime";
import pg from "pg";
import { beforeAll, onTestFinished } from "vitest";
import { noPostgres, sharedPostgres } from "../../../../test/support/postgres.ts";
import { migrate, type PostgresStore, type PostgresStoreOptions, postgresStore } from "../../src/index.ts";

export { noPostgres } from "../../../../test/support/postgres.ts";

/** A database that is prepared for a store, for all tests of a suite. */
export function preparedDatabase(): { readonly url: string } {
  const database = { url: "" };
  beforeAll(async () => {
    if (noPostgres !== undefined) return;
    database.url = await (await sharedPostgres()).createDatabase();
    await migrate(database.url);
  });
  return database;
}

/** A store as a process has one; closed at the end of the test. */
export async function openStore(
  url: string,
  options: Partial<PostgresStoreOptions> = {},
): Promise<PostgresStore> {
  const store = await postgresStore({ url, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** A connection that knows nothing of stores. */
export async function rawClient(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}

export function delivery(id: string, parts: Partial<Delivery> = {}): Delivery {
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

/** A promise and what resolves it. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
