import { isObject, ownMember } from "../json.ts";
import { credentialLabel, hookLabel, hookUpdateLabel, memberLabel, sessionLabel } from "./labels.ts";
import { MARK, sealedMembers } from "./sealed.ts";
import type { Connection, Hook, TableName, Tables } from "./tables.ts";
import { sealedBy, type Vault } from "./vault.ts";

/** The tables in whose rows something is sealed. */
export const sealedTables: readonly TableName[] = ["connections", "saved", "hooks", "deliveries"];

/**
 * A row with all that is sealed in it sealed by the key in use, as another key's may have done it.
 *
 * @returns undefined if it is so already
 * @throws RunError `StoreError` if none of the vault's keys opens it
 */
export async function resealedRow<T extends TableName>(
  vault: Vault,
  table: T,
  row: Tables[T],
): Promise<Tables[T] | undefined> {
  const current = await vault.name();
  let isChanged = false;
  const anew = async (sealed: string, label: string): Promise<string> => {
    const key = sealedBy(sealed);
    // What was kept without a vault is none.
    if (key === undefined || key === current) return sealed;
    isChanged = true;
    return await vault.seal(await vault.open(sealed, label), label);
  };
  const changed: Record<string, unknown> = { ...row };
  for (const name of sealedMembers[table] ?? []) {
    const value = changed[name];
    const sealed = isObject(value as never) ? ownMember(value as never, MARK) : undefined;
    if (typeof sealed === "string")
      changed[name] = { [MARK]: await anew(sealed, memberLabel(table, row.id, name)) };
  }
  if (table === "connections") {
    const { id, credential, session } = row as Connection;
    if (credential !== undefined) changed["credential"] = await anew(credential, credentialLabel(id));
    if (session !== undefined) changed["session"] = await anew(session, sessionLabel(id));
  }
  if (table === "hooks") {
    const { id, journal, updating } = row as Hook;
    if (journal !== undefined) changed["journal"] = await anew(journal, hookLabel(id));
    if (updating !== undefined)
      changed["updating"] = { ...updating, journal: await anew(updating.journal, hookUpdateLabel(id)) };
  }
  return isChanged ? (changed as unknown as Tables[T]) : undefined;
}
