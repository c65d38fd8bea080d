import type { Credential, Credentials } from "../effects.ts";
import type { Store } from "./store.ts";
import type { Connection } from "./tables.ts";
import type { Vault } from "./vault.ts";

/** The connections' credentials in a store, sealed (D29): the effect of that name. */
export function storedCredentials(store: Store, vault: Vault): Credentials {
  const change = (id: string, changed: (old: Connection) => Connection): Promise<void> =>
    store.transaction(async (transaction) => {
      const old = await transaction.get("connections", id);
      // It was removed meanwhile: there is nothing left to keep a token for.
      if (old !== undefined) await transaction.put("connections", changed(old));
    });
  return {
    async read(connection) {
      const row = await store.transaction((transaction) => transaction.get("connections", connection));
      if (row?.credential === undefined) return undefined;
      return JSON.parse(await vault.open(row.credential, labelOf(connection))) as Credential;
    },
    async write(connection, credential) {
      const sealed = await sealedCredential(vault, connection, credential);
      await change(connection, ({ broken: _, ...old }) => ({ ...old, credential: sealed }));
    },
    markBroken: (connection, reason) => change(connection, (old) => ({ ...old, broken: reason })),
  };
}

/** A credential as a connection's row keeps it. */
export function sealedCredential(vault: Vault, connection: string, credential: Credential): Promise<string> {
  return vault.seal(JSON.stringify(credential), labelOf(connection));
}

function labelOf(connection: string): string {
  return `connection ${connection}`;
}
