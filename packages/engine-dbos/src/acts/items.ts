import { type ItemAct, itemActs } from "@configc/host/internal";
import { type Act, type ActContext, Tally } from "./act.ts";
import { counted, itemsOf } from "./targets.ts";

const targets = ["app", "customer", "installation", "fingerprint", "item"] as const;
const of = ["item", "items"] as const;

/** An act on items that failed, or on one that waits. */
function onItems(name: keyof typeof itemActs): Act {
  const change = itemActs[name];
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
  change: ItemAct,
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

export const retryItems = onItems("retry-items");
export const skipItems = onItems("skip-items");
export const purgeItems = onItems("purge-items");
