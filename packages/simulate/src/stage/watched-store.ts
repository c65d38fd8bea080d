import type { Delivery, Store } from "@configc/runtime";

/**
 * A store that tells what becomes of each item.
 *
 * @param kept is told a row of the outbox as it is kept
 * @param moved is told that a polling state is kept: a page is through
 */
export function watchedStore(store: Store, kept: (row: Delivery) => void, moved?: () => void): Store {
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
              if (table === "polling") moved?.();
            },
          }),
        options,
      ),
  };
}
