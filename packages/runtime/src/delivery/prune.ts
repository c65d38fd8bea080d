import type { Services } from "../intake/services.ts";
import type { DeliveryStatus } from "../store/tables.ts";

/** Rows of one transaction: others wait meanwhile. */
const BATCH = 200;

const settled = ["delivered", "skipped", "unroutable"] as const satisfies readonly DeliveryStatus[];

/** Deletes deliveries that were settled before a time, oldest first. */
export async function pruneDeliveries({ store, name }: Services, before: number): Promise<number> {
  let pruned = 0;
  for (const status of settled) {
    let old: number;
    do {
      old = await store.transaction(async (transaction) => {
        const rows = await transaction.list("deliveries", { app: name, status }, { limit: BATCH });
        const gone = rows.filter(({ settledAt, receivedAt }) => (settledAt ?? receivedAt) < before);
        for (const { id } of gone) await transaction.delete("deliveries", id);
        // The oldest come first: behind one that is young enough there are hardly any others.
        return gone.length === rows.length ? gone.length : -gone.length;
      });
      pruned += Math.abs(old);
    } while (old === BATCH);
  }
  return pruned;
}
