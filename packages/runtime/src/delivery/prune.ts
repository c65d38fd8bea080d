import type { Services } from "../intake/services.ts";
import type { Where } from "../store/store.ts";
import type { DeliveryStatus } from "../store/tables.ts";

/** Rows of one transaction: others wait meanwhile. */
const BATCH = 200;

const settled = ["delivered", "skipped", "unroutable"] as const satisfies readonly DeliveryStatus[];

/**
 * Deletes deliveries that were settled before a time, oldest first.
 *
 * @param failedBefore of those that failed, in milliseconds since 1970; undefined: they stay
 */
export async function pruneDeliveries(
  services: Services,
  settledBefore: number,
  failedBefore?: number,
): Promise<number> {
  const { store, name } = services;
  let pruned = 0;
  const all = [
    ...settled.map((status) => [status, settledBefore] as const),
    ...(failedBefore === undefined ? [] : [["failed", failedBefore] as const]),
  ];
  for (const [status, before] of all) {
    const { gone, blocked } = await pruneRows(services, { app: name, status }, before);
    pruned += gone;
    if (!blocked) continue;
    // So many that were settled late stand in front that others have to be looked for by their owners.
    const installations = await store.transaction((transaction) => transaction.list("installations", {}));
    for (const { id, app } of installations)
      if (app === name) pruned += (await pruneRows(services, { installation: id, status }, before)).gone;
  }
  return pruned;
}

/**
 * @returns how many rows are gone, and whether further ones may be old enough: what came long ago and was settled only now stands in
 * front of them
 */
async function pruneRows(
  { store }: Services,
  where: Where<"deliveries">,
  before: number,
): Promise<{ readonly gone: number; readonly blocked: boolean }> {
  let gone = 0;
  for (;;) {
    const { rows, old } = await store.transaction(async (transaction) => {
      const rows = await transaction.list("deliveries", where, { limit: BATCH });
      const old = rows.filter(({ settledAt, receivedAt }) => (settledAt ?? receivedAt) < before);
      for (const { id } of old) await transaction.delete("deliveries", id);
      return { rows, old };
    });
    gone += old.length;
    // They stand in the order in which they came: behind one that came later than that, none was settled before.
    if (rows.length < BATCH || rows.some(({ receivedAt }) => receivedAt >= before))
      return { gone, blocked: false };
    if (old.length === 0) return { gone, blocked: true };
  }
}
