import type { Credential, Credentials, OAuthCredential, SessionToken } from "../effects.ts";
import { credentialLabel, sessionLabel } from "./labels.ts";
import type { Store } from "./store.ts";
import type { Connection } from "./tables.ts";
import type { Vault } from "./vault.ts";

/** The connections' credentials in a store, sealed (D29): the effect of that name. */
export function storedCredentials(store: Store, vault: Vault): Credentials {
  const change = (
    id: string,
    changed: (old: Connection) => Promise<Connection> | Connection,
  ): Promise<void> =>
    store.transaction(async (transaction) => {
      const old = await transaction.get("connections", id);
      // It was removed meanwhile: there is nothing left to keep a token for.
      if (old !== undefined) await transaction.put("connections", await changed(old));
    });
  const open = async ({ id, credential }: Connection): Promise<Credential | undefined> =>
    credential === undefined
      ? undefined
      : (JSON.parse(await vault.open(credential, credentialLabel(id))) as Credential);
  const holds = async (row: Connection, { access_token }: OAuthCredential): Promise<boolean> => {
    const kept = await open(row);
    return kept !== undefined && "access_token" in kept && kept.access_token === access_token;
  };
  return {
    async read(connection) {
      const row = await store.transaction((transaction) => transaction.get("connections", connection));
      return row === undefined ? undefined : await open(row);
    },
    async write(connection, credential, replaced) {
      const sealed = await sealedCredential(vault, connection, credential);
      const keep = (): Promise<void> =>
        change(connection, async ({ broken: _, renewing: __, session: ___, ...old }) => {
          const isOther = replaced !== undefined && !(await holds(old, replaced));
          return isOther ? old : { ...old, credential: sealed };
        });
      // Under a lock of its own: a new token must be kept also where the lock was lost under which it was renewed, or the run that
      // began that.
      await store.exclusive(`credential ${connection}`, keep);
    },
    alone: (connection, renew) => store.exclusive(`renewal ${connection}`, renew),
    async renewing(connection, at) {
      let before: number | undefined;
      await change(connection, (old) => {
        before = old.renewing;
        return { ...old, renewing: at };
      });
      return before;
    },
    markBroken: (connection, reason) =>
      change(connection, ({ renewing: _, ...old }) => ({ ...old, broken: reason })),
    sessions: {
      async read(connection) {
        const row = await store.transaction((transaction) => transaction.get("connections", connection));
        if (row?.session === undefined) return undefined;
        return JSON.parse(await vault.open(row.session, sessionLabel(connection))) as SessionToken;
      },
      async write(connection, token) {
        const session = await vault.seal(JSON.stringify(token), sessionLabel(connection));
        await change(connection, (old) => ({ ...old, session }));
      },
    },
  };
}

/** A credential as a connection's row keeps it. */
export function sealedCredential(vault: Vault, connection: string, credential: Credential): Promise<string> {
  return vault.seal(JSON.stringify(credential), credentialLabel(connection));
}
