import { RunError, type Store } from "@configc/runtime";
import { idOf } from "@configc/runtime/internal";
import type { Queries } from "../postgres/types.ts";
import { columnText } from "../store/text.ts";

interface Assigned {
  readonly app: string;
  readonly installation: string;
  /** The host's own id of the customer. */
  readonly customer: string;
}

/** What hangs on an installation: $1 the customer, $2 the installation, $3 what is saved for it and its connection. */
const hanging = `
  WITH given AS (SELECT $1::text AS tenant, $2::text AS installation, $3::text[] AS saved),
  theirs AS (
    SELECT r.id FROM configc.registrations r JOIN configc.members m ON m.by_registration = r.id, given
    WHERE m.by_installation = given.installation AND r.row::json ->> 'scope' <> 'application'
  ),
  a AS (UPDATE configc.polling t SET tenant = given.tenant FROM given WHERE by_installation = installation AND t.tenant IS NULL),
  b AS (UPDATE configc.deliveries t SET tenant = given.tenant FROM given WHERE by_installation = installation AND t.tenant IS NULL),
  c AS (UPDATE configc.members t SET tenant = given.tenant FROM given WHERE by_installation = installation AND t.tenant IS NULL),
  d AS (UPDATE configc.saved t SET tenant = given.tenant FROM given WHERE id = ANY(saved) AND t.tenant IS NULL),
  e AS (UPDATE configc.registrations t SET tenant = given.tenant FROM given WHERE id IN (SELECT id FROM theirs) AND t.tenant IS NULL)
  UPDATE configc.hooks t SET tenant = given.tenant FROM given WHERE by_registration IN (SELECT id FROM theirs) AND t.tenant IS NULL`;

/**
 * Says whose an installation is that was made without saying so (E47): it, its connection, and all that hangs on them.
 *
 * @throws RunError `NotFound` if there is none, `DataError` if it or its connection is another customer's
 */
export async function assignCustomer(
  database: Queries,
  store: Store,
  { app, installation: id, customer }: Assigned,
): Promise<void> {
  const connection = await store.transaction(async (transaction) => {
    const installation = await transaction.get("installations", id);
    if (installation?.app !== app)
      throw new RunError("NotFound", `There is no installation \`${id}\` of \`${app}\`.`, undefined);
    const key = installation.connection;
    const connection = key === undefined ? undefined : await transaction.get("connections", key);
    for (const [what, owner] of [
      ["The installation", installation.customer],
      ["Its connection", connection?.customer],
    ] as const)
      if (owner !== undefined && owner !== customer)
        throw new RunError("DataError", `${what} is another customer's: \`${owner}\`.`, undefined);
    if (connection !== undefined) await transaction.put("connections", { ...connection, customer });
    await transaction.put("installations", { ...installation, customer });
    return key;
  });
  const saved = [
    idOf("workflow", id),
    ...(connection === undefined ? [] : [idOf("connection", connection)]),
  ].map(columnText);
  await database.query(hanging, [columnText(customer), columnText(id), saved]);
}
