import type { Trouble } from "@configc/host";
import type { Queries } from "../postgres/types.ts";
import { equals, given, keyOf, limitOf, type Page, pageOf, statement } from "./page.ts";

/** What of an installation fails: a row of the view `configc.failing`. Times are in milliseconds since 1970. */
export interface Failing extends Trouble {
  readonly installation: string;
  readonly app: string;
  readonly customer?: string;
  readonly workflow: string;
  readonly since: number;
  readonly lastSuccess?: number;
  /** The customer has to connect again before anything is tried. */
  readonly mustConnect: boolean;
  readonly held: boolean;
}

export interface FailingFilter {
  readonly app?: string;
  readonly customer?: string;
  readonly installation?: string;
  readonly fingerprint?: string;
  readonly what?: Failing["what"];
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly after?: string;
}

/** As Postgres gives it. */
interface Row {
  readonly installation: string;
  readonly app: string;
  readonly customer: string | null;
  readonly workflow: string;
  readonly what: Failing["what"];
  /** Exact to a microsecond: the place in the order. */
  readonly place: string;
  readonly since: Date;
  readonly at: Date | null;
  readonly tries: number | null;
  readonly kind: string;
  readonly http_status: number | null;
  readonly message: string;
  readonly pointer: string;
  readonly version: string | null;
  readonly fingerprint: string;
  readonly last_success: Date | null;
  readonly must_connect: boolean;
  readonly held: boolean;
  readonly [name: string]: unknown;
}

/** The conditions on the view that a filter makes. */
export function failingConditions({ app, customer, installation, fingerprint, what }: FailingFilter) {
  return [
    ...equals("app", app),
    ...equals("customer", customer),
    ...equals("installation", installation),
    ...equals("fingerprint", fingerprint),
    ...equals("what", what),
  ];
}

const parts = ["poll", "deliver", "change", "connect"] as const satisfies readonly Failing["what"][];

/**
 * Those that fail longest come first. Each part of the view is asked by itself: its index has the order, so a page costs the rows of a page; all of them
 * together would be sorted.
 */
export function failingStatement(filter: FailingFilter) {
  const { after } = filter;
  const limit = limitOf(filter.limit) + 1;
  const place =
    after === undefined
      ? []
      : [{ sql: "(since, installation, what) > (?::timestamptz, ?, ?)", values: keyOf(after, 3) }];
  const first =
    after === undefined ? [] : [{ sql: "since >= ?::timestamptz", values: keyOf(after, 3).slice(0, 1) }];
  const asked = parts.filter((part) => filter.what === undefined || part === filter.what);
  const all = asked.map((what) => ({
    conditions: [...failingConditions({ ...filter, what }), ...first, ...place],
    end: { sql: "ORDER BY since, installation LIMIT ?", values: [limit] },
  }));
  const select = "SELECT *, since::text AS place FROM configc.failing";
  const texts = all.map(
    ({ conditions, end }) => `(${select} WHERE ${conditions.map(({ sql }) => sql).join(" AND ")} ${end.sql})`,
  );
  const values = all.flatMap(({ conditions, end }) => [...conditions, end].flatMap((one) => one.values));
  return statement(`SELECT * FROM (${texts.join(" UNION ALL ")}) AS parts`, [], {
    sql: "ORDER BY since, installation, what LIMIT ?",
    values: [...values, limit],
  });
}

/** @throws RangeError for a limit or a place that is none */
export async function failing(database: Queries, filter: FailingFilter = {}): Promise<Page<Failing>> {
  const { text, values } = failingStatement(filter);
  const rows = await database.query<Row>(text, values);
  return pageOf(rows, limitOf(filter.limit), rowOf, ({ place, installation, what }) => [
    place,
    installation,
    what,
  ]);
}

function failingOfStatement(installations: readonly string[]) {
  return statement(
    "SELECT *, since::text AS place FROM configc.failing",
    [{ sql: "installation = ANY(?)", values: [installations] }],
    { sql: "ORDER BY since, installation, what", values: [] },
  );
}

/** All that fails of some installations. */
export async function failingOf(
  database: Queries,
  installations: readonly string[],
): Promise<readonly Failing[]> {
  const { text, values } = failingOfStatement(installations);
  return (await database.query<Row>(text, values)).map(rowOf);
}

function rowOf(row: Row): Failing {
  const time = (date: Date | null): number | null => date?.getTime() ?? null;
  return {
    installation: row.installation,
    app: row.app,
    ...given("customer", row.customer),
    workflow: row.workflow,
    what: row.what,
    since: row.since.getTime(),
    ...given("at", time(row.at)),
    ...given("tries", row.tries),
    kind: row.kind,
    ...given("status", row.http_status),
    message: row.message,
    pointer: row.pointer,
    ...given("version", row.version),
    fingerprint: row.fingerprint,
    ...given("lastSuccess", time(row.last_success)),
    mustConnect: row.must_connect,
    held: row.held,
  };
}
