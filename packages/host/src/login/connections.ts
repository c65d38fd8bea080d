import type { Connection, Credential } from "@configc/runtime";
import { RunError } from "@configc/runtime";
import { missingMembers, neededMembers, sealedCredential } from "@configc/runtime/internal";
import type { Host } from "../hosting-types.ts";

/** What a customer's account is connected with. */
export interface NewConnection {
  readonly app: string;
  /** Name in the app's `auth`. */
  readonly auth: string;
  readonly credential: Credential;
  /** What the customer gave for `defined_fields.subdomain`. */
  readonly subdomain?: string;
  /** The host's own id of the customer whose it is (E47). */
  readonly customer?: string;
}

/**
 * Keeps the credential of a customer's account, sealed (D29).
 *
 * @returns the connection's id, for `setup.connect`
 * @throws RunError `NotFound` for an app or auth entry that isn't there, `DataError` for a credential of another type
 */
export async function addConnection(
  { store, vault, effects, runtime }: Pick<Host, "store" | "vault" | "effects" | "runtime">,
  { app, auth, credential, subdomain, customer }: NewConnection,
): Promise<string> {
  const entries = runtime(app)?.app.auth;
  if (entries === undefined)
    throw new RunError("NotFound", `The host has no app called “${app}”.`, undefined);
  const entry = Object.hasOwn(entries, auth) ? entries[auth] : undefined;
  if (entry === undefined)
    throw new RunError(
      "NotFound",
      `The app “${app}” has no auth entry “${auth}”. It has ${Object.keys(entries).join(", ") || "none"}.`,
      undefined,
    );
  if (missingMembers(entry.type, credential).length > 0)
    throw new RunError(
      "DataError",
      `A connection of “${auth}” (${entry.type}) needs a credential with ${neededMembers(entry.type)
        .map((name) => `\`${name}\``)
        .join(" and ")}.`,
      entry,
    );
  const id = effects.random.id();
  const row: Connection = {
    id,
    app,
    auth,
    ...(customer === undefined ? {} : { customer }),
    credential: await sealedCredential(vault, id, credential),
    ...(subdomain === undefined || subdomain === "" ? {} : { subdomain }),
  };
  await store.transaction((transaction) => transaction.put("connections", row));
  return id;
}
