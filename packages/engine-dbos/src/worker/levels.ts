import type { Looked } from "@configc/host/internal";
import type { Database } from "../postgres/database.ts";
import type { AppLevel, FleetLevel } from "./fleet-level.ts";

/** Failed items are counted no further: their number may be large, and is as much of an alarm then. */
const MOST_FAILED = 10_000;

/** An app whose first look is still to come isn't there, nor one that no worker has looked at for a week. */
const levels = `
  SELECT l.app, extract(epoch FROM now() - l.at)::float8 AS "lookAge", l.installations, l.broken, l.due,
    greatest(0, coalesce(extract(epoch FROM now() - l.due_since), 0))::float8 AS overdue,
    greatest(0, coalesce(extract(epoch FROM now() - l.oldest_item), 0))::float8 AS "oldestItem",
    (SELECT count(*) FROM configc.backlog b WHERE b.queue = 'installations' AND b.share = l.app)::int AS waiting,
    (SELECT count(*) FROM (
      SELECT FROM configc.deliveries d WHERE d.by_app = l.app AND d.by_status = 'failed' LIMIT ${MOST_FAILED}
    ) f)::int AS failed,
    (SELECT count(*) FROM configc.circuits c WHERE c.app = l.app AND c.opened > 0)::int AS down
  FROM configc.levels l WHERE l.at > now() - interval '7 days' ORDER BY l.app`;

/** What each look writes down, and what signals are made of: whichever worker looked, all of them tell the same. */
export class Levels {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put({ app, at, installations, broken, due, dueSince, oldestItem }: Looked): Promise<void> {
    await this.#database.query(
      `INSERT INTO configc.levels AS l (app, at, installations, broken, due, due_since, oldest_item)
      VALUES ($1, clock_timestamp(), $2, $3, $4, ${agoOf("$5")}, ${agoOf("$6")})
      ON CONFLICT (app) DO UPDATE SET at = excluded.at, installations = excluded.installations, broken = excluded.broken, due = excluded.due,
        due_since = excluded.due_since, oldest_item = excluded.oldest_item`,
      [app, installations, broken, due, ...[dueSince, oldestItem].map((time) => ageOf(time, at))],
    );
  }

  async read(): Promise<FleetLevel> {
    const [apps, [workers]] = await Promise.all([
      this.#database.query<AppLevel & Record<string, unknown>>(levels),
      this.#database.query<{ live: number }>(
        "SELECT count(*)::int AS live FROM configc.workers WHERE seen > clock_timestamp() - interval '30 s'",
      ),
    ]);
    return { apps, workers: workers?.live ?? 0 };
  }
}

/** Seconds before the look: an age is the same by the worker's clock and by the database's. */
function ageOf(time: number | undefined, at: number): number | null {
  return time === undefined ? null : Math.max(0, at - time) / 1_000;
}

const agoOf = (value: string): string => `clock_timestamp() - make_interval(secs => ${value}::float8)`;

/** Written at each look; after a crash of the database the next look fills it again, so it needn't be logged. */
export const levelTables = `
  CREATE UNLOGGED TABLE configc.levels (
    app text COLLATE "C" PRIMARY KEY,
    at timestamptz NOT NULL,
    installations int NOT NULL,
    broken int NOT NULL,
    due int NOT NULL,
    due_since timestamptz,
    oldest_item timestamptz
  );`;
