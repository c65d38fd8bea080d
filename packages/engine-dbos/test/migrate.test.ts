import { migrate, migrateFleet, postgresStore, SCHEMA_VERSION } from "@configc/engine-dbos";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres, sharedPostgres } from "../../../test/support/postgres.ts";

async function emptyDatabase() {
  const url = await (await sharedPostgres()).createDatabase();
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return { url, client };
}

describe.skipIf(noPostgres !== undefined)("to prepare a database for a fleet", () => {
  test("several at once do it once, journal and all", async () => {
    const { url, client } = await emptyDatabase();
    const done = await Promise.all([1, 2, 3, 4].map(() => migrateFleet(url)));
    expect(done.map(({ from }) => from).sort()).toEqual([0, ...Array(3).fill(SCHEMA_VERSION)]);
    const { rows } = await client.query("SELECT version FROM configc.migrations ORDER BY version");
    expect(rows).toHaveLength(SCHEMA_VERSION);
  });

  test("one that was interrupted in the journal isn't taken for done, and can be done again", async () => {
    const { url, client } = await emptyDatabase();
    const interrupted = migrate(url, async () => {
      await client.query("CREATE SCHEMA dbos");
      throw new Error("The process was killed.");
    });
    await expect(interrupted).rejects.toThrow("can't be migrated: The process was killed.");
    await expect(postgresStore({ url })).rejects.toThrow(/isn't prepared.*configc-host migrate/);
    expect(await migrateFleet(url)).toEqual({ from: 0, to: SCHEMA_VERSION });
  });

  test("a newer version's database is left as it is", async () => {
    const { url, client } = await emptyDatabase();
    await migrate(url);
    await client.query("INSERT INTO configc.migrations (version, name) VALUES (99, 'later')");
    await expect(migrateFleet(url)).rejects.toThrow(/newer version.*schema 99/);
    const { rows } = await client.query("SELECT to_regnamespace('dbos') AS journal");
    expect(rows).toEqual([{ journal: null }]);
  });

  test("by users that aren't superusers: what they lack is said, and a statement that gives it", async () => {
    const { client } = await emptyDatabase();
    const suffix = crypto.randomUUID().slice(0, 8);
    const [maker, plain, worker] = [`maker_${suffix}`, `plain_${suffix}`, `worker_${suffix}`];
    await client.query(
      `CREATE ROLE ${maker} LOGIN CREATEROLE; CREATE ROLE ${plain} LOGIN; CREATE ROLE ${worker} LOGIN`,
    );
    const server = new URL((await sharedPostgres()).url);
    const urlOf = (user: string, database: string): string =>
      Object.assign(new URL(server), { username: user, pathname: `/${database}` }).href;
    const refused = async (work: Promise<unknown>): Promise<string> => {
      const { message } = await work.then(
        () => new Error("It wasn't refused."),
        (error: Error) => error,
      );
      const [, statement = message] = /: ([A-Z]+ [^:]*)$/.exec(message) ?? [];
      await client.query(statement);
      return message;
    };
    for (const user of [maker, plain]) {
      await client.query(`CREATE DATABASE ${user} OWNER ${user}`);
      const url = urlOf(user, user);
      // The first of a server may make the role, where another database's owner hasn't.
      const tried = await migrateFleet(url).catch(async (error: Error) => {
        expect(await refused(Promise.reject(error))).toMatch(
          /role configc_tenant (?:was made by another user|is needed)/,
        );
        return await migrateFleet(url);
      });
      expect(tried.to).toBe(SCHEMA_VERSION);
      const store = await postgresStore({ url });
      expect(await store.forTenant("a").transaction((t) => t.list("installations", {}))).toEqual([]);
      await store.close();
    }
    const url = urlOf(worker, maker);
    expect(await refused(postgresStore({ url }))).toContain(
      `may not use the schema \`configc\`, which belongs to ${maker}`,
    );
    const store = await postgresStore({ url });
    expect(await store.transaction((t) => t.list("installations", {}))).toEqual([]);
    await store.close();
  });
});
