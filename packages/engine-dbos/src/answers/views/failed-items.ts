/** A row for each item that failed for its own reasons, and can be tried again. What it holds isn't there. */
export const failedItemsView = `
  CREATE VIEW configc.failed_items AS
  SELECT d.id AS item, d.position, d.by_app AS app, d.by_installation AS installation, d.tenant AS customer, d.by_origin AS origin,
    (d.trouble ->> 'tries')::int AS tries, d.trouble ->> 'kind' AS kind, (d.trouble ->> 'status')::int AS http_status,
    d.trouble ->> 'message' AS message, d.trouble ->> 'pointer' AS pointer, d.trouble ->> 'version' AS version, d.fingerprint,
    to_timestamp((d.trouble ->> 'received')::float8 / 1000) AS received, to_timestamp((d.trouble ->> 'settled')::float8 / 1000) AS failed
  FROM configc.deliveries d WHERE d.by_status = 'failed';`;
