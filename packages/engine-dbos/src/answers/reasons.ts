import type { Queries } from "../postgres/types.ts";
import { type Failing, type FailingFilter, failingConditions, failingOf } from "./failing.ts";
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
    `SELECT app, fingerprint, count(*)::int AS installations, min(since) AS since,
      (array_agg(installation ORDER BY since, installation))[1] AS example FROM configc.failing`,
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
    example: string;
  }>(text, values);
  if (groups.length === 0) return [];
  // All at once: to plan the view takes longer than to read some rows of it.
  const examples = await failingOf(
    database,
    groups.map(({ example }) => example),
  );
  return groups.flatMap(({ app, fingerprint, installations, since, example }) => {
    const found = examples.find((row) => row.installation === example && row.fingerprint === fingerprint);
    // It may have been mended in between.
    return found === undefined
      ? []
      : [{ app, fingerprint, installations, since: since.getTime(), example: found }];
  });
}
