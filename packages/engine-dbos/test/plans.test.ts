import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noPostgres } from "../../../test/support/postgres.ts";
import { failedItemsStatement } from "../src/answers/failed-items.ts";
import { failingStatement } from "../src/answers/failing.ts";
import { reasonsStatement } from "../src/answers/reasons.ts";
import { hotStatements } from "../src/engine/backlog.ts";
import { runPageStatement } from "../src/runs/run-page.ts";
import { getRow, listRows } from "../src/store/statements.ts";
import { candidatesStatement } from "../src/worker/candidates.ts";
import { fleetDatabase } from "./support/database.ts";
import { explained } from "./support/plans.ts";

/** Installations, of which the first has most of what waits; and another app's, which are few. */
const INSTALLATIONS = 20_000;
const WAITING = 400_000;
const FEW = 5;
/** Runs that are over, and jobs that wait for their turn. */
const RUNS = 200_000;
const JOBS = 100_000;
/** Installations that fail, and items that failed. */
const FAILING = 3_000;
const FAILED = 10_000;

const fill = `
  INSERT INTO configc.connections (id, by_app, row)
    SELECT 'c' || n, 'many', json_build_object('id', 'c' || n) FROM generate_series(1, ${INSTALLATIONS}) n;
  INSERT INTO configc.installations (id, by_app, by_status, by_workflow, by_connection, row)
    SELECT 'i' || n, CASE WHEN n > ${INSTALLATIONS - FEW} THEN 'few' ELSE 'many' END, 'active', 'w', 'c' || n,
      json_build_object('id', 'i' || n, 'settings', json_build_object('connection', 'c' || n))
    FROM generate_series(1, ${INSTALLATIONS}) n;
  INSERT INTO configc.polling (id, by_installation, row)
    SELECT 'i' || n || '/w', 'i' || n, json_build_object('intake', 'w', 'phase', 'idle') FROM generate_series(1, ${INSTALLATIONS}) n;
  INSERT INTO configc.deliveries (id, by_installation, by_status, by_origin, by_app, row)
    SELECT 'old' || n, 'i' || (2 + n % ${INSTALLATIONS - 1}), 'delivered', 'polling', 'many', '{"receivedAt": 1}' FROM generate_series(1, 60000) n;
  INSERT INTO configc.deliveries (id, by_installation, by_status, by_origin, by_app, row)
    SELECT 'd' || n, 'i1', 'waiting', 'polling', 'many', '{"receivedAt": 1, "attempts": 0}' FROM generate_series(1, ${WAITING}) n;
  INSERT INTO configc.deliveries (id, by_installation, by_status, by_origin, by_app, row)
    SELECT 'late' || n, 'i' || n, 'waiting', 'polling', 'many', '{"receivedAt": 1, "attempts": 0}' FROM generate_series(2, 200) n;
  UPDATE configc.polling SET row = replace(json_build_object('intake', 'w', 'phase', 'idle', 'failures', 2, 'failingSince', 1000 + position, 'endedAt', 1,
      'failure', json_build_object('kind', 'HttpError', 'status', 500 + position % 2, 'message', 'x', 'pointer', '/p', 'at', 2000))::text, ' : ', ':')
      WHERE position <= ${FAILING};
  INSERT INTO configc.deliveries (id, tenant, by_installation, by_status, by_origin, by_app, row)
    SELECT 'failed' || n, 't' || n % 100, 'i' || n, 'failed', 'polling', 'many', replace(json_build_object('attempts', 1, 'failure',
      json_build_object('kind', 'JqError', 'message', 'x', 'pointer', '/q', 'at', 1), 'receivedAt', 1)::text, ' : ', ':') FROM generate_series(1, ${FAILED}) n;
  INSERT INTO configc.backlog (queue, id, key, input, share, member, turn)
    SELECT 'installations', 'poll many/i' || n, 'many/i' || n, '{}', 'many', 'c' || n, now() FROM generate_series(1, ${JOBS}) n;
  INSERT INTO dbos.workflow_status (workflow_uuid, status, name, created_at, updated_at, queue_name, queue_partition_key)
    SELECT 'poll many/j' || n || ' ' || n, CASE WHEN n > ${RUNS - 20} THEN 'PENDING' WHEN n % 1000 = 0 THEN 'ERROR' ELSE 'SUCCESS' END, 'configc.job', n, n, 'installations', 'many/j' || n
    FROM generate_series(1, ${RUNS}) n;
  UPDATE configc.workers SET places = '{}';
  ANALYZE;`;

const job = (n: number) =>
  [`poll many/x${n}`, `many/x${n}`, "{}", "many", `m${n}`, 0, false] as const satisfies readonly unknown[];
const jobs = Array.from({ length: 50 }, (_, n) => job(n));

/** What is asked again and again, and how many rows may be looked at for it. */
const asked: readonly [
  name: string,
  statement: { text: string; values: readonly unknown[] },
  rows: number,
][] = [
  ["one row", getRow("deliveries", "d7"), 1],
  [
    "the first of very many that wait",
    listRows("deliveries", { installation: "i1", status: "waiting" }, { limit: 50, bytes: 262_144 }),
    200,
  ],
  [
    "that of one who has none",
    listRows("deliveries", { installation: "i9999", status: "waiting" }, { limit: 1 }),
    1,
  ],
  [
    "the same by origin",
    listRows("deliveries", { installation: "i9999", origin: "polling", status: "waiting" }, { limit: 1 }),
    1,
  ],
  [
    "what can be forgotten",
    listRows("deliveries", { app: "many", status: "delivered" }, { limit: 200 }),
    200,
  ],
  ["of an app that has none", listRows("deliveries", { app: "few", status: "delivered" }, { limit: 200 }), 1],
  ["states of an installation", listRows("polling", { installation: "i77" }, {}), 2],
  // A page of 2,000, with its connection, its state and what waits first.
  ["a look at many", { text: candidatesStatement, values: ["many", "0"] }, 4 * 2_000 + 200],
  ["a look at few", { text: candidatesStatement, values: ["few", "0"] }, 5 * FEW],
  // A seventh of all fail: to read tables once is quicker then than row by row.
  ["who fails, the first page", failingStatement({}), 6 * INSTALLATIONS],
  ["who fails, of an app", failingStatement({ app: "many", limit: 10 }), 6 * INSTALLATIONS],
  ["why, of each reason", reasonsStatement({}), 6 * INSTALLATIONS],
  ["failed items", failedItemsStatement({}), 60],
  // All 100 of its own may be read and sorted, or a page of them in their order: a sample decides what looks cheaper.
  ["failed items of a customer", failedItemsStatement({ customer: "t7" }), 200],
  ["failed items of an installation", failedItemsStatement({ installation: "i77" }), 5],
  ["the newest runs", runPageStatement({}, []), 60],
  ["the newest runs that failed", runPageStatement({}, ["ERROR", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]), 250],
  ["what is in the engine", { text: hotStatements.look, values: ["installations"] }, 200],
  ["whose turn it is", { text: hotStatements.take, values: ["installations", ["many"], [16], [4]] }, 200],
  [
    "jobs that are found",
    {
      text: hotStatements.add,
      values: ["installations", ...[0, 1, 2, 3, 4, 5, 6].map((at) => jobs.map((one) => one[at])), null],
    },
    400,
  ],
];

/** Tables that may be read once, where a person asks. */
const once = ["installations", "polling", "connections"];

describe.skipIf(noPostgres !== undefined)("plans of what is asked again and again", () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client(await fleetDatabase());
    await client.connect();
    await client.query(fill);
    const { rows } = await client.query(
      "SELECT count(*)::int AS failing FROM configc.failing UNION ALL SELECT count(fingerprint)::int FROM configc.failed_items",
    );
    expect(rows.map(({ failing }) => failing)).toEqual([FAILING, FAILED]);
    await client.query("SET statement_timeout = '5s'");
  });
  afterAll(() => client.end());

  describe.each(["among others'", "and nothing else"])("one has very many, %s", (others) => {
    // Where all rows are of one, the planner takes everybody to have that many.
    if (others === "and nothing else")
      beforeAll(() =>
        client.query(
          "SET statement_timeout = 0; DELETE FROM configc.deliveries WHERE by_installation <> 'i1'; ANALYZE; SET statement_timeout = '5s'",
        ),
      );

    describe.each(["for these values", "for any values"])("planned %s", (planned) => {
      test.for(asked)("%s", async ([, statement, most]) => {
        const { scanned, rows, pages } = await explained(client, statement, planned === "for any values");
        // Tables of a few rows are quickest read whole.
        const small = ["workers", "holds", ...(most > INSTALLATIONS ? once : [])];
        expect(scanned.filter((table) => !small.includes(table))).toEqual([]);
        expect(rows).toBeLessThanOrEqual(most);
        expect(pages).toBeLessThanOrEqual(20 * most + 100);
      });
    });
  });
});
