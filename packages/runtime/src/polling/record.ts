import { idOf } from "../store/id.ts";
import type { Transaction } from "../store/store.ts";
import type { PollingRecord } from "../store/tables.ts";

export function pollingId(installation: string, intake: string): string {
  return idOf(installation, intake);
}

/** Where the polling of an intake stands; at the beginning if it never ran. */
export async function readPolling(
  transaction: Transaction,
  installation: string,
  intake: string,
): Promise<PollingRecord> {
  const id = pollingId(installation, intake);
  return (await transaction.get("polling", id)) ?? newPolling(id, installation, intake, 0);
}

function newPolling(id: string, installation: string, intake: string, cycle: number): PollingRecord {
  return {
    id,
    installation,
    intake,
    ready: false,
    state: {},
    cycle,
    phase: "idle",
    requests: 0,
    results: 0,
    recent: [],
    allRequests: 0,
    done: false,
    failures: 0,
  };
}

/** D33: a reset deletes the old state first. Cycles are counted on, so that no two have one number. */
export async function resetPolling(
  transaction: Transaction,
  { id, installation, intake, cycle }: PollingRecord,
): Promise<void> {
  await transaction.put("polling", newPolling(id, installation, intake, cycle));
}
