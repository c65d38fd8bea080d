import { migrateFleet } from "@configc/engine-dbos";
import { startPostgres } from "../support/postgres.ts";
import type { Fault } from "./fault.ts";
import { play } from "./play.ts";

/** On a server of its own, for faults end it or fill it up. */
export async function playOn(fault: Fault): Promise<void> {
  const postgres = await startPostgres();
  try {
    const database = await postgres.createDatabase();
    await migrateFleet(database);
    await play(fault, { postgres, database });
  } finally {
    await postgres.stop();
  }
}
