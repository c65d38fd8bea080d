import pg from "pg";
import { describe } from "vitest";
import { storeContract } from "../../../runtime/test/store/contract.ts";
import { postgresStore } from "../../src/index.ts";
import { noPostgres, preparedDatabase } from "./support.ts";

describe.skipIf(noPostgres !== undefined)(`Postgres ${noPostgres ?? ""}`, () => {
  const database = preparedDatabase();
  storeContract("Postgres", async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query("TRUNCATE configc.deliveries, configc.saved, configc.locks");
    await client.end();
    return await postgresStore({ url: database.url });
  });
});
