import type { Delivery, Transaction } from "@configc/runtime";

/** Changes an item that failed or waits. @returns whether there was something to change */
export type ItemAct = (transaction: Transaction, item: Delivery, now: number) => Promise<boolean>;

/** What operators do with items, on a fleet as on one host (E146). */
export const itemActs = {
  /** Failed items wait again, in their place in the line; one that waits for its time needn't any more. */
  async "retry-items"(transaction, item) {
    const { status, failure, heldUntil } = item;
    if (status === "waiting" && failure === undefined && heldUntil === undefined) return false;
    const { settledAt: _, trace: __, failure: ___, heldUntil: ____, ...rest } = item;
    await transaction.put("deliveries", { ...rest, status: "waiting", attempts: 0 });
    return true;
  },
  /** Items count as skipped, without what they hold: they are forgotten as delivered ones are. */
  async "skip-items"(transaction, item, now) {
    const {
      input: _,
      trace: __,
      answered: ___,
      heldUntil: ____,
      failingSince: _____,
      failure: ______,
      ...rest
    } = item;
    await transaction.put("deliveries", { ...rest, status: "skipped", settledAt: now });
    return true;
  },
  /** Items are deleted, with all that they hold. */
  async "purge-items"(transaction, { id }) {
    await transaction.delete("deliveries", id);
    return true;
  },
} as const satisfies Readonly<Record<string, ItemAct>>;
