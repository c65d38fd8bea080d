import {
  type Connection,
  type Hook,
  type Json,
  sealedStore,
  type TableName,
  type Vault,
} from "@configc/runtime";
import { indexes } from "@configc/runtime/internal";
import type { Database } from "../postgres/database.ts";
import type { PostgresStore } from "../store/index.ts";

/** Rows that are read at once. */
const BATCH = 200;

/** A row of what is kept for a customer. */
interface ExportedRow {
  readonly table: TableName;
  readonly row: Json;
}

/**
 * All that is kept for a customer, as the database shows it to that one's role alone. Tokens and the secret part of webhooks' URLs aren't in it.
 *
 * @param vault opens what apps saved; undefined: it is given as it is sealed
 */
export async function* exportCustomer(
  { database, store, vault }: { database: Database; store: PostgresStore; vault: Vault | undefined },
  customer: string,
): AsyncGenerator<ExportedRow> {
  const tenant = store.forTenant(customer);
  const part = vault === undefined ? tenant : sealedStore(tenant, vault);
  for (const table of Object.keys(indexes) as TableName[]) {
    let after = "0";
    for (;;) {
      const ids = await database.query<{ id: string; position: string }>(
        `SELECT id, position FROM configc.${table} WHERE tenant = $1 AND position > $2::bigint ORDER BY position LIMIT ${BATCH}`,
        [customer, after],
      );
      const rows = await part.transaction((transaction) =>
        Promise.all(ids.map(({ id }) => transaction.get(table, id))),
      );
      for (const row of rows) if (row !== undefined) yield { table, row: withoutSecrets(row) };
      const last = ids.at(-1);
      if (last === undefined || ids.length < BATCH) break;
      after = last.position;
    }
  }
}

function withoutSecrets(row: object): Json {
  if ("auth" in row) {
    const { credential: _, session: __, ...rest } = row as unknown as Connection;
    return rest as unknown as Json;
  }
  if ("registration" in row && "state" in row) {
    const { id: _, journal: __, updating: ___, ...rest } = row as unknown as Hook;
    return rest as unknown as Json;
  }
  return row as Json;
}
