import { disconnect as forgetToken, refreshToken } from "@configc/host/internal";
import { RunError } from "@configc/runtime";
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
    const tally = new Tally();
    for await (const { id } of connectionsOf(context, target))
      if (await refreshToken(store, vault, id)) tally.add(id);
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
    for await (const { id } of connectionsOf(context, target))
      if (await forgetToken(store, id, why)) tally.add(id);
    return tally.result();
  },
};
