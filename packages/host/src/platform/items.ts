import type { Json, JsonObject } from "@configc/runtime";

/** An item of the platform. */
export interface Item {
  /** Ascending from 1, in each resource. */
  readonly id: number;
  readonly fields: JsonObject;
  readonly tags: readonly string[];
}

/**
 * Where the embedded platform keeps its items. Calls are synchronous, so that an item is found and written without another in
 * between; they throw if they can't be made.
 */
export interface Items {
  /** The item of a resource with that key, such as the email of a contact. */
  find(resource: string, key: string): Item | undefined;
  /** All or nothing. The result is kept by the delivery's key, so that a repeated one is told the same (D33). */
  write(entry: Write): void;
  delivered(delivery: string): Json | undefined;
  nextId(resource: string): number;
  list(resource: string): Item[];
  close(): void;
}

interface Write {
  readonly resource: string;
  readonly key: string | undefined;
  readonly item: Item;
  readonly delivery: string | undefined;
  readonly result: Json;
}

/** Items that live as long as the process. */
export function itemsInMemory(): Items {
  const resources = new Map<string, Map<number, Item>>();
  const keys = new Map<string, Item>();
  const deliveries = new Map<string, Json>();
  const itemsOf = (resource: string): Map<number, Item> => {
    const items = resources.get(resource) ?? new Map<number, Item>();
    resources.set(resource, items);
    return items;
  };
  const keyOf = (resource: string, key: string): string => JSON.stringify([resource, key]);
  return {
    find: (resource, key) => keys.get(keyOf(resource, key)),
    write({ resource, key, item, delivery, result }) {
      itemsOf(resource).set(item.id, item);
      if (key !== undefined) keys.set(keyOf(resource, key), item);
      if (delivery !== undefined) deliveries.set(delivery, result);
    },
    delivered: (delivery) => deliveries.get(delivery),
    nextId: (resource) => itemsOf(resource).size + 1,
    list: (resource) => [...itemsOf(resource).values()],
    close() {},
  };
}
