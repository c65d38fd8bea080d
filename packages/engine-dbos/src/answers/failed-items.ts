import type { Queries } from "../postgres/types.ts";
import { equals, given, keyOf, limitOf, type Page, pageOf, statement } from "./page.ts";

/** An item that failed for its own reasons: a row of the view `configc.failed_items`. Times are in milliseconds since 1970. */
export interface FailedItem {
  readonly item: string;
  readonly app: string;
  readonly installation?: string;
  readonly customer?: string;
  readonly origin: string;
  readonly tries?: number;
  readonly kind?: string;
  readonly status?: number;
  readonly message?: string;
  readonly pointer?: string;
  readonly version?: string;
  readonly fingerprint?: string;
  readonly received?: number;
  readonly failed?: number;
}

interface ItemFilter {
  readonly app?: string;
  readonly customer?: string;
  readonly installation?: string;
  readonly fingerprint?: string;
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly after?: string;
}

interface Row {
  readonly item: string;
  readonly position: string;
  readonly app: string;
  readonly installation: string | null;
  readonly customer: string | null;
  readonly origin: string;
  readonly tries: number | null;
  readonly kind: string | null;
  readonly http_status: number | null;
  readonly message: string | null;
  readonly pointer: string | null;
  readonly version: string | null;
  readonly fingerprint: string | null;
  readonly received: Date | null;
  readonly failed: Date | null;
  readonly [name: string]: unknown;
}

function itemConditions({ app, customer, installation, fingerprint }: ItemFilter) {
  return [
    ...equals("app", app),
    ...equals("customer", customer),
    ...equals("installation", installation),
    ...equals("fingerprint", fingerprint),
  ];
}

/** Those that came first come first. */
export function failedItemsStatement(filter: ItemFilter) {
  const { after } = filter;
  const place = after === undefined ? [] : [{ sql: "position > ?::bigint", values: keyOf(after, 1) }];
  return statement("SELECT * FROM configc.failed_items", [...itemConditions(filter), ...place], {
    sql: "ORDER BY position LIMIT ?",
    values: [limitOf(filter.limit) + 1],
  });
}

/** @throws RangeError for a limit or a place that is none */
export async function failedItems(database: Queries, filter: ItemFilter = {}): Promise<Page<FailedItem>> {
  const { text, values } = failedItemsStatement(filter);
  const rows = await database.query<Row>(text, values);
  return pageOf(rows, limitOf(filter.limit), itemOf, ({ position }) => [position]);
}

function itemOf(row: Row): FailedItem {
  const { item, app, origin } = row;
  return {
    item,
    app,
    ...given("installation", row.installation),
    ...given("customer", row.customer),
    origin,
    ...given("tries", row.tries),
    ...given("kind", row.kind),
    ...given("status", row.http_status),
    ...given("message", row.message),
    ...given("pointer", row.pointer),
    ...given("version", row.version),
    ...given("fingerprint", row.fingerprint),
    ...given("received", row.received?.getTime() ?? null),
    ...given("failed", row.failed?.getTime() ?? null),
  };
}
