import type { JsonObject } from "@configc/jq";
import { mergedMembers } from "../saved.ts";
import type { SavedData, SaveScope } from "../step.ts";
import { idOf } from "./id.ts";
import type { Store, Transaction } from "./store.ts";

/** Whose values each scope means; a scope without an owner can't be used. */
export interface Owners {
  readonly application: string;
  readonly connection?: string;
  readonly workflow?: string;
}

const scopes: readonly SaveScope[] = ["workflow", "connection", "application"];

/**
 * What `!save` kept, by scope (D24). A save is merged into what the store has then, not into what was read: others save too.
 *
 * @param alongside is kept together with each save: a journal
 */
export async function storedValues(
  store: Store,
  owners: Owners,
  alongside?: (transaction: Transaction) => Promise<void>,
): Promise<SavedData> {
  let values = await store.transaction((transaction) => readValues(transaction, owners));
  return {
    read: () => values,
    async merge(scope, members) {
      const owner = owners[scope];
      if (owner === undefined) throw new Error(`there is no ${scope} to save it for`);
      const id = idOf(scope, owner);
      const merged = await store.transaction(async (transaction) => {
        const old = await transaction.get("saved", id);
        const row = { id, scope, values: mergedMembers(old?.values, members) };
        await transaction.put("saved", row);
        await alongside?.(transaction);
        return row.values;
      });
      values = { ...values, [scope]: merged };
    },
  };
}

/** The values of each scope that has an owner and any values. */
async function readValues(
  transaction: Transaction,
  owners: Owners,
): Promise<Readonly<Record<string, JsonObject>>> {
  const values: Record<string, JsonObject> = {};
  for (const scope of scopes) {
    const owner = owners[scope];
    const row = owner === undefined ? undefined : await transaction.get("saved", idOf(scope, owner));
    if (row !== undefined) values[scope] = row.values;
  }
  return values;
}
