import { beforeAll } from "vitest";
import { noPostgres, sharedPostgres } from "../../../../test/support/postgres.ts";
import { migrate } from "../../src/index.ts";

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
