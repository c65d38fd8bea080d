const installations = (status: string): string =>
  `(SELECT count(*)::int FROM configc.installations i WHERE i.by_app = a.app AND i.by_status = '${status}')`;
const items = (status: string): string =>
  `(SELECT count(*)::int FROM configc.deliveries d WHERE d.by_app = a.app AND d.by_status = '${status}')`;
const jobs = "FROM configc.backlog b WHERE b.queue = 'installations' AND b.share = a.app AND b.starts IS";

/** A row for each app that has installations: how much waits, and for how long. */
export const queuesView = `
  CREATE VIEW configc.queues AS
  WITH RECURSIVE apps AS (
    (SELECT by_app AS app FROM configc.installations ORDER BY by_app LIMIT 1)
    UNION ALL
    SELECT (SELECT i.by_app FROM configc.installations i WHERE i.by_app > apps.app ORDER BY i.by_app LIMIT 1)
    FROM apps WHERE apps.app IS NOT NULL
  )
  SELECT a.app, ${installations("active")} AS active, ${installations("paused")} AS paused,
    ${items("waiting")} AS waiting,
    configc.time_in((SELECT d.row FROM configc.deliveries d WHERE d.by_app = a.app AND d.by_status = 'waiting'
      ORDER BY d.position LIMIT 1), 'receivedAt') AS waiting_since,
    ${items("failed")} AS failed,
    (SELECT count(*)::int ${jobs} NULL) AS jobs, (SELECT min(b.turn) ${jobs} NULL) AS jobs_since,
    (SELECT count(*)::int ${jobs} NOT NULL) AS jobs_put_off
  FROM apps a WHERE a.app IS NOT NULL;`;
