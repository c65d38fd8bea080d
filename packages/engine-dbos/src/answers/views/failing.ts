/** What the four parts of the view have in common: `t` is the row that tells of the trouble, `i` its installation. */
function part(what: string, last: string, from: string): string {
  return `SELECT i.id AS installation, i.by_app AS app, i.tenant AS customer, i.by_workflow AS workflow, i.by_status AS status,
    text '${what}' AS what, t.failing_since AS since, to_timestamp((t.trouble ->> 'at')::float8 / 1000) AS at,
    (t.trouble ->> 'tries')::int AS tries, t.trouble ->> 'kind' AS kind, (t.trouble ->> 'status')::int AS http_status,
    t.trouble ->> 'message' AS message, t.trouble ->> 'pointer' AS pointer, t.trouble ->> 'version' AS version,
    t.fingerprint, ${last} AS last_success,
    EXISTS (SELECT FROM configc.connections c WHERE c.id = i.by_connection AND c.trouble IS NOT NULL) AS must_connect,
    EXISTS (SELECT FROM configc.holds h WHERE h.app = i.by_app AND h.installation = i.id) AS held
  ${from}`;
}

const works = "i.by_status IN ('active', 'updating')";
/** Where the connection is broken, that it is says all: nothing is tried, and each place that met it would be a reason of its own (E175). */
const ownReason = `NOT (t.trouble ->> 'kind' = 'AuthError'
      AND EXISTS (SELECT FROM configc.connections c WHERE c.id = i.by_connection AND c.trouble IS NOT NULL))`;
const polled = `(SELECT max(to_timestamp((p.trouble ->> 'last')::float8 / 1000)) FROM configc.polling p WHERE p.by_installation = i.id)`;
const delivered = `(SELECT configc.time_in(d.row, 'settledAt') FROM configc.deliveries d
  WHERE d.by_installation = i.id AND d.by_status = 'delivered' ORDER BY d.position DESC LIMIT 1)`;

/**
 * A row for each installation and what of it fails; the same failure in two places is told once. `what`: `poll`, a cycle; `deliver`, an
 * item that keeps others waiting; `change`, an activation, update, pause or removal; `connect`, the customer has to connect again.
 */
export const failingView = `
  CREATE OR REPLACE VIEW configc.failing AS
  ${part(
    "poll",
    "to_timestamp((t.trouble ->> 'last')::float8 / 1000)",
    `FROM configc.polling t JOIN configc.installations i ON i.id = t.by_installation
  WHERE t.trouble IS NOT NULL AND ${works} AND ${ownReason}`,
  )}
  UNION ALL
  ${part(
    "deliver",
    delivered,
    `FROM configc.deliveries t JOIN configc.installations i ON i.id = t.by_installation
  WHERE t.trouble IS NOT NULL AND t.by_status = 'waiting' AND ${works} AND ${ownReason}
    AND NOT EXISTS (SELECT FROM configc.polling p WHERE p.by_installation = t.by_installation AND p.fingerprint = t.fingerprint)
    AND NOT EXISTS (SELECT FROM configc.deliveries e WHERE e.by_installation = t.by_installation AND e.by_status = 'waiting'
      AND e.trouble IS NOT NULL AND e.position < t.position)`,
  )}
  UNION ALL
  ${part(
    "change",
    delivered,
    `FROM configc.installations t JOIN configc.installations i ON i.id = t.id
  WHERE t.trouble IS NOT NULL AND t.by_status <> 'removed'`,
  )}
  UNION ALL
  ${part(
    "connect",
    `coalesce(${polled}, ${delivered})`,
    `FROM configc.connections t JOIN configc.installations i ON i.by_connection = t.id
  WHERE t.trouble IS NOT NULL AND ${works}`,
  )};`;

/** A time of a row in milliseconds since 1970; NULL where Postgres can't look into the row. */
export const timeIn = `
  CREATE FUNCTION configc.time_in(kept text, member text) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN
    RETURN to_timestamp((kept::json ->> member)::float8 / 1000);
  EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
  END $$;`;
