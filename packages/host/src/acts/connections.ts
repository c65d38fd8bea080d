import { type Connection, type Store, storedCredentials, type Vault } from "@configc/runtime";

/** Its token is renewed before it is used next, and it is tried again if it was given up. */
export async function refreshToken(store: Store, vault: Vault, id: string): Promise<boolean> {
  const credentials = storedCredentials(store, vault);
  const found = await credentials.read(id);
  if (found === undefined) return false;
  // What has no token to renew is kept as it is: only that it was given up is forgotten.
  await credentials.write(id, "refresh_token" in found ? { ...found, expires_at: 1 } : found);
  return true;
}

/** Forgets tokens: the customer has to connect again, and nothing is tried before. */
export function disconnect(store: Store, id: string, why: string): Promise<boolean> {
  // Under the lock of those who keep a renewed token: none is kept after it.
  return store.exclusive(`credential ${id}`, () =>
    store.transaction(async (transaction) => {
      const row = await transaction.get("connections", id);
      if (row === undefined || (row.credential === undefined && row.broken !== undefined)) return false;
      const { credential: _, session: __, renewing: ___, ...rest }: Connection = row;
      await transaction.put("connections", { ...rest, broken: `It was disconnected: ${why}` });
      return true;
    }),
  );
}
