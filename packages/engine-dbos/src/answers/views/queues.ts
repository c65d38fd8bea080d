const jobs = "FROM configc.backlog b WHERE b.queue = 'installations' AND b.share = a.app AND b.starts IS";

/**
 * A row for each app that has installations: how much waits, and for how long. Installations and failed items are read once for all apps: by app and status, an
 * index is enough.
 */
export const queuesView = `
  CREATE OR REPLACE VIEW configc.queues AS
  WITH apps AS (
    SELECT by_app AS app, (count(*) FILTER (WHERE by_status = 'active'))::int AS active, (count(*) FILTER (WHERE by_status = 'paused'))::int AS paused
    FROM configc.installations GROUP BY by_app
  ), items AS (
    SELECT by_app AS app, (count(*) FILTER (WHERE by_status = 'waiting'))::int AS waiting, (count(*) FILTER (WHERE by_status = 'failed'))::int AS failed
    FROM configc.deliveries WHERE by_status IN ('waiting', 'failed') GROUP BY by_app
  )
  SELECT a.app, a.active, a.paused, coalesce(i.waiting, 0) AS waiting,
    configc.time_in((SELECT d.row FROM configc.deliveries d WHERE d.by_app = a.app AND d.by_status = 'waiting'
      ORDER BY d.position LIMIT 1), 'receivedAt') AS waiting_since,
    coalesce(i.failed, 0) AS failed,
    (SELECT count(*)::int ${jobs} NULL) AS jobs, (SELECT min(b.turn) ${jobs} NULL) AS jobs_since,
    (SELECT count(*)::int ${jobs} NOT NULL) AS jobs_put_off
  FROM apps a LEFT JOIN items i ON i.app = a.app;`;
