import type { Queries } from "../postgres/types.ts";
import { type Failing, type FailingFilter, failing, failingConditions } from "./failing.ts";
import { statement } from "./page.ts";

/** Why installations of an app fail: those that failed in the same way at the same place. */
export interface Reason {
  readonly app: string;
  readonly fingerprint: string;
  /** How many fail for it. */
  readonly installations: number;
  /** Since when the first of them does, in milliseconds since 1970. */
  readonly since: number;
  /** The one that fails longest. */
  readonly example: Failing;
}

/** Reasons that are told; more than so many at once have one in common, which isn't in the configs. */
const MOST = 100;

/** The reasons of most installations come first. */
export function reasonsStatement(filter: FailingFilter) {
  return statement(
    `SELECT app, fingerprint, count(*)::int AS installations, min(since) AS since FROM configc.failing`,
    failingConditions(filter),
    {
      sql: "GROUP BY app, fingerprint ORDER BY installations DESC, since, app, fingerprint LIMIT ?",
      values: [MOST],
    },
  );
}

export async function reasons(database: Queries, filter: FailingFilter = {}): Promise<readonly Reason[]> {
  const { text, values } = reasonsStatement(filter);
  const groups = await database.query<{
    app: string;
    fingerprint: string;
    installations: number;
    since: Date;
  }>(text, values);
  const told: Reason[] = [];
  for (const { app, fingerprint, installations, since } of groups) {
    const { rows } = await failing(database, { ...filter, app, fingerprint, limit: 1 });
    const [example] = rows;
    // It may have been mended in between.
    if (example !== undefined)
      told.push({ app, fingerprint, installations, since: since.getTime(), example });
  }
  return told;
}
