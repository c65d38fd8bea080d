import type { Delivery, Transaction } from "@configc/runtime";
import { type Act, type ActContext, Tally } from "./act.ts";
import { counted, itemsOf } from "./targets.ts";

const targets = ["app", "customer", "installation", "fingerprint", "item"] as const;
const of = ["item", "items"] as const;

/** An act on items that failed, or on one that waits. @param change @returns whether there was something to change */
function onItems(
  name: string,
  change: (transaction: Transaction, item: Delivery, now: number) => Promise<boolean>,
): Act {
  return {
    name,
    of,
    targets,
    plan: ({ database }, target) => counted(itemsOf(database, target)),
    async perform(context, target) {
      const tally = new Tally();
      for await (const { id, installation } of itemsOf(context.database, target))
        if (await changed(context, id, installation, change)) tally.add(id);
      return tally.result();
    },
  };
}

/** A line that works with an item has it in its memory: it comes to its end first, and isn't at work meanwhile. */
async function changed(
  { store, now }: ActContext,
  id: string,
  installation: string | null,
  change: (transaction: Transaction, item: Delivery, now: number) => Promise<boolean>,
): Promise<boolean> {
  const work = (): Promise<boolean> =>
    store.transaction(async (transaction) => {
      const item = await transaction.get("deliveries", id);
      if (item === undefined || (item.status !== "failed" && item.status !== "waiting")) return false;
      return await change(transaction, item, now());
    });
  const first = await store.transaction((transaction) => transaction.get("deliveries", id));
  return first?.status === "waiting" && installation !== null
    ? await store.exclusive(`deliveries ${installation}`, work)
    : await work();
}

/** Failed items wait again, in their place in the line; one that waits for its time needn't any more. */
export const retryItems = onItems("retry-items", async (transaction, item) => {
  const { status, failure, heldUntil } = item;
  if (status === "waiting" && failure === undefined && heldUntil === undefined) return false;
  const { settledAt: _, trace: __, failure: ___, heldUntil: ____, ...rest } = item;
  await transaction.put("deliveries", { ...rest, status: "waiting", attempts: 0 });
  return true;
});

/** Items count as skipped, without what they hold: they are forgotten as delivered ones are. */
export const skipItems = onItems("skip-items", async (transaction, item, now) => {
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
});

/** Items are deleted, with all that they hold. */
export const purgeItems = onItems("purge-items", async (transaction, { id }) => {
  await transaction.delete("deliveries", id);
  return true;
});
