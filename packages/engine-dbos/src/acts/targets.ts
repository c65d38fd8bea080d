import { type Condition, equals, statement } from "../answers/page.ts";
import type { Queries } from "../postgres/types.ts";
import { type Affected, Tally, type Target } from "./act.ts";

/** Rows that are read at once. */
const BATCH = 500;

/** An installation that an act is about. */
interface Targeted {
  readonly id: string;
  readonly app: string;
  readonly connection: string | null;
  readonly position: string;
  readonly [name: string]: unknown;
}

/** Those of a target, in the order in which they were made. @param extra conditions on `i`, the installation */
export async function* installationsOf(
  database: Queries,
  { app, customer, installation, fingerprint }: Target,
  ...extra: readonly Condition[]
): AsyncGenerator<Targeted> {
  const failing =
    fingerprint === undefined
      ? []
      : [
          {
            sql: "i.id IN (SELECT f.installation FROM configc.failing f WHERE f.fingerprint = ?)",
            values: [fingerprint],
          },
        ];
  let after = "0";
  for (;;) {
    const { text, values } = statement(
      "SELECT i.id, i.by_app AS app, i.by_connection AS connection, i.position FROM configc.installations i",
      [
        ...equals("i.by_app", app),
        ...equals("i.tenant", customer),
        ...equals("i.id", installation),
        ...failing,
        ...extra,
        { sql: "i.position > ?::bigint", values: [after] },
      ],
      { sql: "ORDER BY i.position LIMIT ?", values: [BATCH] },
    );
    const rows = await database.query<Targeted>(text, values);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.position;
  }
}

/** Ids of the items of a target that failed, the oldest first; of an item that is named, also if it waits. */
export async function* itemsOf(
  database: Queries,
  { app, customer, installation, fingerprint, item }: Target,
): AsyncGenerator<{ readonly id: string; readonly installation: string | null }> {
  let after = "0";
  for (;;) {
    const { text, values } = statement(
      "SELECT id, by_installation AS installation, position FROM configc.deliveries",
      [
        {
          sql: item === undefined ? "by_status = 'failed'" : "by_status IN ('failed', 'waiting')",
          values: [],
        },
        ...equals("by_app", app),
        ...equals("tenant", customer),
        ...equals("by_installation", installation),
        ...equals("fingerprint", fingerprint),
        ...equals("id", item),
        { sql: "position > ?::bigint", values: [after] },
      ],
      { sql: "ORDER BY position LIMIT ?", values: [BATCH] },
    );
    const rows = await database.query<{ id: string; installation: string | null; position: string }>(
      text,
      values,
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.position;
  }
}

/** Counts without changing. */
export async function counted(
  found: AsyncIterable<{ readonly id: string }>,
  note?: string,
): Promise<Affected> {
  const tally = new Tally();
  for await (const { id } of found) tally.add(id);
  return tally.result(note);
}
