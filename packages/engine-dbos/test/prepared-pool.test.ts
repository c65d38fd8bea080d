import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres, sharedPostgres } from "../../../test/support/postgres.ts";
import { preparedPool } from "../src/postgres/prepared-pool.ts";
import { fleetDatabase } from "./support/database.ts";

describe.skipIf(noPostgres !== undefined)("the pool of the journal", () => {
  test("statements with values are prepared once for a connection; others go as they are", async () => {
    const pool = preparedPool((await sharedPostgres()).url, 1, "test");
    onTestFinished(() => pool.end());
    const sum = "SELECT $1::int + $2::int AS sum";
    for (const n of [1, 2]) expect((await pool.query(sum, [n, n])).rows).toEqual([{ sum: 2 * n }]);
    const client = await pool.connect();
    expect((await client.query(sum, [3, 3])).rows).toEqual([{ sum: 6 }]);
    await client.query("BEGIN; SELECT 1; COMMIT");
    await expect(client.query("SELECT $1::int / 0", [1])).rejects.toThrow("division by zero");
    const { rows } = await client.query("SELECT statement FROM pg_prepared_statements ORDER BY prepare_time");
    expect(rows.map(({ statement }) => statement)).toEqual([sum, "SELECT $1::int / 0"]);
    expect((await client.query("SHOW idle_in_transaction_session_timeout")).rows).toEqual([
      { idle_in_transaction_session_timeout: "1min" },
    ]);
    const done = new Promise((resolve) =>
      client.query(sum, [4, 4], (_error, result) => resolve(result.rows)),
    );
    expect(await done).toEqual([{ sum: 8 }]);
    client.release();
  });

  test("a plan that is made while a table is empty doesn't read all of it when it has grown", async () => {
    const pool = preparedPool(await fleetDatabase(), 1, "test");
    onTestFinished(() => pool.end());
    await pool.query(
      "CREATE TABLE steps (run text, number int, PRIMARY KEY (run, number)) WITH (autovacuum_enabled = off)",
    );
    await pool.query("ANALYZE steps");
    const step = "SELECT number FROM steps WHERE run = $1 AND number = $2";
    // From the sixth time on, the server keeps a plan for any values.
    for (let n = 0; n < 8; n++) await pool.query(step, ["a", n]);
    await pool.query("INSERT INTO steps SELECT 'r' || n, n FROM generate_series(1, 5000) n");
    expect((await pool.query(step, ["r7", 7])).rows).toEqual([{ number: 7 }]);
    const [{ name }] = (
      await pool.query("SELECT name, generic_plans FROM pg_prepared_statements WHERE statement = $1", [step])
    ).rows;
    const plan = await pool.query(`EXPLAIN (FORMAT JSON) EXECUTE "${name}" ('r7', 7)`);
    expect(JSON.stringify(plan.rows)).toMatch(/Index (?:Only )?Scan/);
  });
});
