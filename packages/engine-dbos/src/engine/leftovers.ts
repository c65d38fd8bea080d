import type { Queries } from "../postgres/types.ts";
import { JOURNAL } from "./journal.ts";

/** Only what is over goes: a run that another worker has taken up meanwhile goes on. */
const forget = `
  WITH gone AS (DELETE FROM ${JOURNAL}.workflow_status WHERE workflow_uuid = ANY($1) AND status = 'SUCCESS' RETURNING workflow_uuid),
  a AS (DELETE FROM ${JOURNAL}.workflow_input WHERE workflow_uuid IN (SELECT workflow_uuid FROM gone)),
  b AS (DELETE FROM ${JOURNAL}.workflow_output WHERE workflow_uuid IN (SELECT workflow_uuid FROM gone)),
  c AS (DELETE FROM ${JOURNAL}.operation_outputs WHERE workflow_uuid IN (SELECT workflow_uuid FROM gone))
  SELECT workflow_uuid AS id FROM gone`;

/** Runs of one statement. */
const BATCH = 1_000;

/**
 * Runs that nobody will want to look at (E51): they are forgotten after a while, all of that time by one statement. Those of a process that dies
 * meanwhile stay until runs are pruned.
 */
export class Leftovers {
  readonly #database: Queries;
  readonly #after: number;
  #runs: { readonly id: string; readonly at: number }[] = [];

  /** @param after milliseconds for which they are kept */
  constructor(database: Queries, after: number) {
    this.#database = database;
    this.#after = after;
  }

  add(id: string): void {
    this.#runs.push({ id, at: performance.now() });
  }

  /** Forgets those whose time has come. What can't be is pruned with all others. */
  async tidy(): Promise<void> {
    const old = performance.now() - this.#after;
    const young = this.#runs.findIndex(({ at }) => at > old);
    const due = this.#runs.splice(0, young < 0 ? this.#runs.length : young);
    for (let from = 0; from < due.length; from += BATCH)
      await this.#database
        .query(forget, [due.slice(from, from + BATCH).map(({ id }) => id)])
        .catch(() => undefined);
  }
}
