import type pg from "pg";

/** Members of rows that are times, in milliseconds since 1970. */
const TIMES = "startedAt|endedAt|waitUntil|failingSince|receivedAt|settledAt|heldUntil|changedAt|at";
const TABLES = ["installations", "polling", "deliveries"];

/** Columns that are times, of what the fleet keeps beside its rows. */
const COLUMNS = [
  "UPDATE configc.backlog SET turn = turn - $1::interval, starts = starts - $1::interval",
  "UPDATE configc.circuits SET until = until - $1::interval, probed = probed - $1::interval",
  "UPDATE configc.levels SET at = at - $1::interval, due_since = due_since - $1::interval, oldest_item = oldest_item - $1::interval",
  "UPDATE configc.limit_places SET starts = starts - $1::interval, free_at = free_at - $1::interval",
];

/**
 * Has time pass for a fleet: all that it wrote down has been longer ago, and all that it waits for comes sooner. Workers, service and database go on by
 * the clock that they have.
 */
export async function passTime(client: pg.Client, minutes: number): Promise<void> {
  const back = minutes * 60_000;
  for (const table of TABLES) {
    const { rows } = await client.query<{ id: string; row: string }>(`SELECT id, row FROM configc.${table}`);
    for (const { id, row } of rows) {
      const older = row.replace(
        new RegExp(`"(${TIMES})":(\\d{13})\\b`, "g"),
        (_, name: string, time: string) => `"${name}":${Number(time) - back}`,
      );
      // What a worker has changed meanwhile says what happened just now.
      if (older !== row)
        await client.query(`UPDATE configc.${table} SET row = $2 WHERE id = $1 AND row = $3`, [
          id,
          older,
          row,
        ]);
    }
  }
  for (const sql of COLUMNS) await client.query(sql, [`${minutes} minutes`]);
}
