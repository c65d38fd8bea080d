import type { Delivery, PollingRecord, Store, Transaction } from "@configc/runtime";

/**
 * Has what failed, or waits for its time, found due at the next look: the service is back, or what was wrong was mended.
 *
 * @param installation undefined: all of the app; of one that is named a cycle is due in any case
 * @param always whether a cycle is due in any case
 * @returns how many installations that changed
 */
export async function tryNow(
  store: Store,
  app: string,
  installation?: string,
  always = installation !== undefined,
): Promise<number> {
  const ids = await store.transaction(async (transaction) => {
    if (installation === undefined)
      return (await transaction.list("installations", { app, status: "active" })).map(({ id }) => id);
    const row = await transaction.get("installations", installation);
    return row?.app === app && row.status === "active" ? [row.id] : [];
  });
  let changed = 0;
  for (const id of ids)
    if (await store.transaction((transaction) => free(transaction, id, always))) changed++;
  return changed;
}

async function free(transaction: Transaction, installation: string, always: boolean): Promise<boolean> {
  let changed = false;
  for (const record of await transaction.list("polling", { installation })) {
    if (record.done || !(always || record.failures > 0 || record.waitUntil !== undefined)) continue;
    const { failure: _, waitUntil: __, startedAt: ___, ...rest }: PollingRecord = record;
    await transaction.put("polling", { ...rest, failures: 0 });
    changed = true;
  }
  const [first] = await transaction.list("deliveries", { installation, status: "waiting" }, { limit: 1 });
  // A webhook's that nobody has tried waits until its sender has seen the answer.
  const waits = first?.heldUntil !== undefined && first.origin !== "webhook";
  if (first !== undefined && (first.attempts > 0 || waits)) {
    const { failure: _, heldUntil: __, ...rest }: Delivery = first;
    await transaction.put("deliveries", rest);
    changed = true;
  }
  return changed;
}
