import type { Delivery, Store } from "@configc/runtime";

/** A store that tells what becomes of each item. @param kept is told a row of the outbox as it is kept */
export function watchedStore(store: Store, kept: (row: Delivery) => void): Store {
  return {
    ...store,
    transaction: (work, options) =>
      store.transaction(
        (transaction) =>
          work({
            ...transaction,
            put: async (table, row) => {
              await transaction.put(table, row);
              if (table === "deliveries") kept(row as Delivery);
            },
          }),
        options,
      ),
  };
}
