import type { AppIntake } from "@configc/compiler";
import { addCounts, type DeliveryCounts, deliverWaiting, nothingDelivered } from "../delivery/deliver.ts";
import { isOwnFailure } from "../delivery/failure.ts";
import type { Installed } from "../intake/installed.ts";
import type { Services, Work } from "../intake/services.ts";
import { type CycleResult, runCycle } from "../polling/cycle.ts";
import { type Position, positionOf } from "../polling/position.ts";
import { readPolling } from "../polling/record.ts";
import type { PollingRecord, PollReason } from "../store/tables.ts";

/** An import that fails so often for its own reasons is given up, so that what webhooks bring needn't wait for ever. */
const MOST_FAILURES = 5;

/** The limit on results ends a cycle, not the import (D34). */
const lastReasons: readonly PollReason[] = ["iterate", "empty", "repeat", "max-requests"];

/**
 * Imports what was there before the webhook (D34): cycles until one ends by `iterate`, empty, a repeat or the most requests of all
 * cycles together; then what the webhook has brought meanwhile. It goes on where it was interrupted.
 *
 * @throws RunError as a cycle does
 */
export async function importHistory(
  services: Services,
  installed: Installed,
  intake: AppIntake,
  work: Work,
): Promise<CycleResult> {
  let counts: DeliveryCounts = nothingDelivered;
  const position = (): Promise<Position> =>
    services.engine.step("history", async () => positionOf(await recordOf(services, installed, intake)));
  let at = await position();
  let results = 0;
  while (!at.done) {
    const before = at.phase === "idle" ? at.allRequests : at.allRequests - at.requests;
    const requests = Math.max(1, services.limits.pollingRequests - before);
    const options = { origin: "historical", doneAfter: lastReasons, requests } as const;
    try {
      const cycle = await runCycle(services, installed, intake, options, work);
      counts = addCounts(counts, cycle);
      results += cycle.results;
    } catch (error) {
      if (isOwnFailure(error))
        await services.engine.step("give up", () => giveUp(services, installed, intake));
      throw error;
    }
    at = await position();
  }
  counts = addCounts(counts, await deliverWaiting(services, installed, work));
  return { ...counts, reason: at.reason, requests: at.allRequests, results, done: true };
}

/** Whether deliveries of the webhook have to wait for the import. */
export async function isImporting(
  services: Services,
  installed: Installed,
  intake: AppIntake | undefined,
): Promise<boolean> {
  return intake !== undefined && !(await recordOf(services, installed, intake)).done;
}

function recordOf(
  { store }: Services,
  { installation }: Installed,
  intake: AppIntake,
): Promise<PollingRecord> {
  return store.transaction((transaction) => readPolling(transaction, installation.id, intake.name));
}

async function giveUp(
  services: Services,
  { installation }: Installed,
  intake: AppIntake,
): Promise<undefined> {
  await services.store.transaction(async (transaction) => {
    const record = await readPolling(transaction, installation.id, intake.name);
    if (record.failures >= MOST_FAILURES)
      await transaction.put("polling", { ...record, done: true, reason: "limit" });
  });
  return undefined;
}
