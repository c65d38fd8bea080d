import { given, keyOf, limitOf, type Page, pageOf, statement } from "../answers/page.ts";
import type { Queries } from "../postgres/types.ts";
import type { Affected, Target } from "./act.ts";

/** An act that was done, or is under way. Times are in milliseconds since 1970. */
export interface KeptAct {
  readonly request: string;
  readonly act: string;
  readonly target: Target;
  readonly by: string;
  readonly why: string;
  readonly begun: number;
  readonly ended?: number;
  readonly result?: Affected;
}

interface Row {
  readonly request: string;
  readonly position: string;
  readonly act: string;
  readonly target: Target;
  readonly by_whom: string;
  readonly why: string;
  readonly begun: Date;
  readonly ended: Date | null;
  readonly result: Affected | null;
  readonly [name: string]: unknown;
}

/** What operators did, the newest first. @throws RangeError for a limit or a place that is none */
export async function keptActs(
  database: Queries,
  { limit, after }: { readonly limit?: number; readonly after?: string } = {},
): Promise<Page<KeptAct>> {
  const place = after === undefined ? [] : [{ sql: "position < ?::bigint", values: keyOf(after, 1) }];
  const { text, values } = statement("SELECT * FROM configc.acts", place, {
    sql: "ORDER BY position DESC LIMIT ?",
    values: [limitOf(limit) + 1],
  });
  return pageOf(
    await database.query<Row>(text, values),
    limitOf(limit),
    ({ request, act, target, by_whom, why, begun, ended, result }) => ({
      request,
      act,
      target,
      by: by_whom,
      why,
      begun: begun.getTime(),
      ...given("ended", ended?.getTime() ?? null),
      ...given("result", result),
    }),
    ({ position }) => [position],
  );
}
