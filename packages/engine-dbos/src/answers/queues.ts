import type { Queries } from "../postgres/types.ts";
import { given } from "./page.ts";

/** How much waits of an app, and for how long: a row of the view `configc.queues`. Times are in milliseconds since 1970. */
export interface AppQueue {
  readonly app: string;
  /** Installations. */
  readonly active: number;
  readonly paused: number;
  /** Items that wait, and since when the first one does. */
  readonly waiting: number;
  readonly waitingSince?: number;
  /** Items that failed for their own reasons. */
  readonly failed: number;
  /** Jobs for which no worker has had a place, since when the first one waits, and those that wait for their time. */
  readonly jobs: number;
  readonly jobsSince?: number;
  readonly jobsPutOff: number;
}

interface Row {
  readonly app: string;
  readonly active: number;
  readonly paused: number;
  readonly waiting: number;
  readonly waiting_since: Date | null;
  readonly failed: number;
  readonly jobs: number;
  readonly jobs_since: Date | null;
  readonly jobs_put_off: number;
  readonly [name: string]: unknown;
}

const queuesStatement = "SELECT * FROM configc.queues WHERE $1::text IS NULL OR app = $1 ORDER BY app";

export async function queues(database: Queries, app?: string): Promise<readonly AppQueue[]> {
  return (await database.query<Row>(queuesStatement, [app ?? null])).map((row) => ({
    app: row.app,
    active: row.active,
    paused: row.paused,
    waiting: row.waiting,
    ...given("waitingSince", row.waiting_since?.getTime() ?? null),
    failed: row.failed,
    jobs: row.jobs,
    ...given("jobsSince", row.jobs_since?.getTime() ?? null),
    jobsPutOff: row.jobs_put_off,
  }));
}
