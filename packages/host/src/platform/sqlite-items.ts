import type { Json } from "@configc/runtime";
import { decodeRow, encodeRow } from "@configc/runtime/internal";
import { type Database, openPrepared } from "../store/driver.ts";
import type { Item, Items } from "./items.ts";

/**
 * The platform's items in an SQLite file.
 *
 * @param file path, or `:memory:`
 * @throws Error if there is no SQLite library, or the file can't be opened
 */
export function sqliteItems(file: string): Promise<Items> {
  return openPrepared(file, itemsOf);
}

function itemsOf(database: Database): Items {
  database.exec("PRAGMA busy_timeout = 5000");
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(`
    CREATE TABLE IF NOT EXISTS items (
      resource TEXT NOT NULL, id INTEGER NOT NULL, key TEXT, item TEXT NOT NULL, PRIMARY KEY (resource, id)
    );
    CREATE UNIQUE INDEX IF NOT EXISTS items_by_key ON items (resource, key);
    CREATE TABLE IF NOT EXISTS deliveries (delivery TEXT PRIMARY KEY, result TEXT NOT NULL);
  `);
  const byKey = database.prepare("SELECT item FROM items WHERE resource = ? AND key = ?");
  const all = database.prepare("SELECT item FROM items WHERE resource = ? ORDER BY id");
  const last = database.prepare("SELECT coalesce(max(id), 0) AS id FROM items WHERE resource = ?");
  const put = database.prepare(
    "INSERT INTO items (resource, id, key, item) VALUES (?, ?, ?, ?) ON CONFLICT (resource, id) DO UPDATE SET key = excluded.key, item = excluded.item",
  );
  const seen = database.prepare("SELECT result FROM deliveries WHERE delivery = ?");
  const deliver = database.prepare("INSERT INTO deliveries (delivery, result) VALUES (?, ?)");
  return {
    find(resource, key) {
      const row = byKey.get(resource, key);
      return row === undefined ? undefined : (decodeRow(String(row["item"])) as Item);
    },
    write({ resource, key, item, delivery, result }) {
      database.exec("BEGIN IMMEDIATE");
      try {
        put.run(resource, item.id, key ?? null, encodeRow(item));
        if (delivery !== undefined) deliver.run(delivery, encodeRow({ result }));
        database.exec("COMMIT");
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
    delivered(delivery) {
      const row = seen.get(delivery);
      return row === undefined ? undefined : (decodeRow(String(row["result"])) as { result: Json }).result;
    },
    nextId: (resource) => Number(last.get(resource)?.["id"] ?? 0) + 1,
    list: (resource) => all.all(resource).map((row) => decodeRow(String(row["item"])) as Item),
    close: () => database.close(),
  };
}
