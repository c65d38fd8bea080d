import { migrateFleet } from "@configc/engine-dbos";
import pg from "pg";
import { sharedPostgres } from "../../../../test/support/postgres.ts";

let template: Promise<string> | undefined;
let databases = 0;

/** A database of its own that is prepared for a fleet. To prepare one takes a second, to copy it a tenth of that. */
export async function fleetDatabase(): Promise<string> {
  const { url, createDatabase } = await sharedPostgres().then((server) => ({
    url: server.url,
    createDatabase: () => server.createDatabase(),
  }));
  template ??= createDatabase().then(async (made) => {
    await migrateFleet(made);
    return made;
  });
  const from = new URL(await template).pathname.slice(1);
  const name = `fleet_${++databases}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${from}`);
  } finally {
    await client.end();
  }
  const copy = new URL(url);
  copy.pathname = `/${name}`;
  return copy.href;
}
