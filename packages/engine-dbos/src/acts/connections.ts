import { type Connection, RunError, storedCredentials } from "@configc/runtime";
import { type Act, type ActContext, Tally, type Target } from "./act.ts";
import { counted, installationsOf } from "./targets.ts";

const of = ["connection", "connections"] as const;
const targets = ["app", "customer", "installation", "fingerprint"] as const;

/** Each connection of a target once. */
async function* connectionsOf({ database }: Pick<ActContext, "database">, target: Target) {
  const seen = new Set<string>();
  for await (const { connection } of installationsOf(database, target)) {
    if (connection === null || seen.has(connection)) continue;
    seen.add(connection);
    yield { id: connection };
  }
}

/** Tokens are renewed before they are used next, and a connection that was given up is tried again. */
export const refresh: Act = {
  name: "refresh",
  of,
  targets,
  plan: (context, target) => counted(connectionsOf(context, target)),
  async perform(context, target) {
    const { store, vault } = context;
    if (vault === undefined)
      throw new RunError(
        "StoreError",
        "Tokens are sealed: set CONFIGC_KEY or CONFIGC_KEY_FILE, as the workers have it.",
        undefined,
      );
    const credentials = storedCredentials(store, vault);
    const tally = new Tally();
    for await (const { id } of connectionsOf(context, target)) {
      const found = await credentials.read(id);
      if (found === undefined) continue;
      // What has no token to renew is kept as it is: only that it was given up is forgotten.
      await credentials.write(id, "refresh_token" in found ? { ...found, expires_at: 1 } : found);
      tally.add(id);
    }
    return tally.result();
  },
};

/** Forgets tokens: the customers have to connect again, and nothing is tried before. */
export const disconnect: Act = {
  name: "disconnect",
  of,
  targets,
  plan: (context, target) => counted(connectionsOf(context, target)),
  async perform(context, target) {
    const { store, why } = context;
    const tally = new Tally();
    for await (const { id } of connectionsOf(context, target)) {
      // Under the lock of those who keep a renewed token: none is kept after it.
      const done = await store.exclusive(`credential ${id}`, () =>
        store.transaction(async (transaction) => {
          const row = await transaction.get("connections", id);
          if (row === undefined || (row.credential === undefined && row.broken !== undefined)) return false;
          const { credential: _, session: __, renewing: ___, ...rest }: Connection = row;
          await transaction.put("connections", { ...rest, broken: `It was disconnected: ${why}` });
          return true;
        }),
      );
      if (done) tally.add(id);
    }
    return tally.result();
  },
};
