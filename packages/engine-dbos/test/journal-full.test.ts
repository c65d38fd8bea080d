import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../test/support/postgres.ts";
import { answered, operated, order } from "./answers/operated.ts";

/** Answers as Postgres does where a table's disk is full, and counts how often. `npm run gameday -- journal-full` has a disk that is. */
const full = `
  CREATE SEQUENCE dbos.tries;
  CREATE FUNCTION dbos.disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM nextval('dbos.tries');
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
  CREATE TRIGGER disk_full BEFORE INSERT ON dbos.operation_outputs
    FOR EACH ROW WHEN (NEW.function_name = 'due') EXECUTE FUNCTION dbos.disk_full();`;

/** Tries after which DBOS by itself would wait for 16 s at least. */
const TRIES = 6;

describe.skipIf(noPostgres !== undefined)("the journal", () => {
  test("E198: a run whose step couldn't be recorded goes on some seconds after it can be, however long that was", async () => {
    const { install, worker, database, service } = await operated();
    const client = new pg.Client(database);
    await client.connect();
    onTestFinished(() => client.end());
    await install("i1");
    service.answer = answered(order(1));
    await client.query(full);
    await worker.start();
    await worker.retry("shop", "i1");
    const tries = async () =>
      Number((await client.query<{ n: string }>("SELECT last_value AS n FROM dbos.tries")).rows[0]?.n);
    while ((await tries()) < TRIES) await sleep(50);
    await client.query("DROP FUNCTION dbos.disk_full CASCADE");
    const begun = performance.now();
    const delivered = async () =>
      (await client.query("SELECT FROM configc.deliveries WHERE by_status = 'delivered'")).rows.length;
    while ((await delivered()) === 0) await sleep(100);
    expect(performance.now() - begun).toBeLessThan(14_000);
    expect(service.received.filter(({ path }) => path === "/orders")).toHaveLength(1);
  }, 180_000);
});
