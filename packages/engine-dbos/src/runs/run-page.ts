import { equals, keyOf, limitOf, statement } from "../answers/page.ts";
import { JOURNAL } from "../engine/journal.ts";

/** Which runs are asked for, a page at a time. */
export interface RunPageFilter {
  readonly app?: string;
  readonly installation?: string;
  readonly status?: "waiting" | "running" | "done" | "failed" | "cancelled";
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly after?: string;
}

/** As the journal has a run's place in the order. */
export interface RunPlace {
  readonly id: string;
  readonly created: string;
  readonly [name: string]: unknown;
}

/**
 * The ids of a page, the newest first; one more than wanted. Jobs that look and tidy up aren't shown. It is a statement and not a view: the table is
 * the engine's, and a view of it would be in the way of the engine's own migrations.
 *
 * @param statuses as the journal calls them; none: all
 */
export function runPageStatement(filter: RunPageFilter, statuses: readonly string[]) {
  const { app, installation, after } = filter;
  const begins = ["poll", "deliver"].map((job) => {
    if (app === undefined) return `${job} `;
    return installation === undefined ? `${job} ${app}/` : `${job} ${app}/${installation} `;
  });
  const one = statuses.length === 1 ? equals("status", statuses[0]) : [];
  const several = statuses.length > 1 ? [{ sql: "status = ANY(?)", values: [statuses] }] : [];
  const place =
    after === undefined
      ? []
      : [{ sql: "(created_at, workflow_uuid) < (?::bigint, ?)", values: keyOf(after, 2) }];
  return statement(
    `SELECT workflow_uuid AS id, created_at AS created FROM ${JOURNAL}.workflow_status`,
    [
      { sql: "(starts_with(workflow_uuid, ?) OR starts_with(workflow_uuid, ?))", values: begins },
      ...one,
      ...several,
      ...place,
    ],
    { sql: "ORDER BY created_at DESC, workflow_uuid DESC LIMIT ?", values: [limitOf(filter.limit) + 1] },
  );
}
