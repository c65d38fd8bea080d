import type { Connection, Credential } from "@configc/runtime";
import { sealedCredential } from "@configc/runtime";
import type { Host } from "../hosting.ts";

/** What a customer's account is connected with. */
export interface NewConnection {
  readonly app: string;
  /** Name in the app's `auth`. */
  readonly auth: string;
  readonly credential: Credential;
  /** What the customer gave for `defined_fields.subdomain`. */
  readonly subdomain?: string;
}

/**
 * Keeps the credential of a customer's account, sealed (D29).
 *
 * @returns the connection's id, for `setup.connect`
 */
export async function addConnection(
  { store, vault, effects }: Pick<Host, "store" | "vault" | "effects">,
  { app, auth, credential, subdomain }: NewConnection,
): Promise<string> {
  const id = effects.random.id();
  const row: Connection = {
    id,
    app,
    auth,
    credential: await sealedCredential(vault, id, credential),
    ...(subdomain === undefined || subdomain === "" ? {} : { subdomain }),
  };
  await store.transaction((transaction) => transaction.put("connections", row));
  return id;
}
