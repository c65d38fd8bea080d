import { RunError, type Store, storedCredentials, type Vault } from "@configc/runtime";
import type { Database } from "../postgres/database.ts";

/** Connections that are tried: an old one may have been sealed by a key that is gone for good. */
const TRIED = 20;

/**
 * A worker with another key than the fleet's would fail all that it takes, and seal what others can't open.
 *
 * @throws RunError `StoreError` if none of the newest connections' credentials can be opened, though there are some
 */
export async function checkKey(database: Database, store: Store, vault: Vault): Promise<void> {
  const newest = await database.query<{ id: string }>(
    "SELECT id FROM configc.connections ORDER BY position DESC LIMIT $1",
    [TRIED],
  );
  let closed = 0;
  const open: Vault["open"] = (sealed, label) =>
    vault.open(sealed, label).catch((error: unknown) => {
      closed++;
      throw error;
    });
  const credentials = storedCredentials(store, { ...vault, open });
  for (const { id } of newest) {
    const before = closed;
    try {
      if ((await credentials.read(id)) !== undefined) return;
    } catch (error) {
      if (closed === before) throw error;
    }
  }
  if (closed > 0)
    throw new RunError(
      "StoreError",
      "The key doesn't open the tokens that are kept. It isn't the fleet's (CONFIGC_KEY), or one from before is missing among the old ones (CONFIGC_OLD_KEYS).",
      undefined,
    );
}
