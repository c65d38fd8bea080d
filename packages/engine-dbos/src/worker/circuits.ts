import type { Circuit, SharedCircuits } from "@configc/host/internal";
import type { Database } from "../postgres/database.ts";

interface Row extends Record<string, unknown> {
  readonly app: string;
  readonly origin: string;
  readonly own: boolean;
  readonly opened: number;
  readonly until: number;
  readonly probed: number | null;
}

/** Tells the workers of a fleet which services don't answer. Nothing is written while all do. */
export function circuitsIn(database: Database): SharedCircuits {
  return {
    async read() {
      const rows = await database.query<Row>(
        `SELECT app, origin, own, opened, extract(epoch FROM until)::float8 * 1000 AS until,
          extract(epoch FROM probed)::float8 * 1000 AS probed FROM configc.circuits`,
      );
      return rows.map(({ probed, ...row }): Circuit => (probed === null ? row : { ...row, probed }));
    },
    async put({ app, origin, own, opened, until, probed }) {
      await database.query(
        `INSERT INTO configc.circuits (app, origin, own, opened, until, probed)
        VALUES ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), to_timestamp($6::float8 / 1000))
        ON CONFLICT (app, origin) DO UPDATE SET opened = excluded.opened, until = excluded.until, probed = excluded.probed`,
        [app, origin, own, opened, until, probed ?? null],
      );
    },
    async delete(app, origin) {
      await database.query("DELETE FROM configc.circuits WHERE app = $1 AND origin = $2", [app, origin]);
    },
  };
}
