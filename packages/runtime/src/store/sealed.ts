import { type Json, parseExact, printExact } from "@configc/jq";
import { isObject, ownMember } from "../json.ts";
import { memberLabel } from "./labels.ts";
import type { Store, Transaction } from "./store.ts";
import type { TableName, Tables } from "./tables.ts";
import type { Vault } from "./vault.ts";

/** What apps keep for themselves, and what third parties answered: secrets for webhooks are among it (D29). */
export const sealedMembers: { readonly [T in TableName]?: readonly (keyof Tables[T] & string)[] } = {
  saved: ["values"],
  hooks: ["data"],
  deliveries: ["answered"],
};

/** Stands for a value. */
export const MARK = "$sealed";

/** The store, with what apps save sealed in it. Rows that were kept without a vault can still be read. */
export function sealedStore(store: Store, vault: Vault): Store {
  return {
    transaction: (work, options) =>
      store.transaction((transaction) => work(sealedTransaction(transaction, vault)), options),
    exclusive: (key, work, signal) => store.exclusive(key, work, signal),
    close: () => store.close(),
  };
}

function sealedTransaction(transaction: Transaction, vault: Vault): Transaction {
  const change = async <T extends TableName>(
    table: T,
    row: Tables[T],
    how: (value: Json, label: string) => Promise<Json>,
  ): Promise<Tables[T]> => {
    const changed: Record<string, unknown> = { ...row };
    for (const name of sealedMembers[table] ?? []) {
      const value = changed[name];
      if (value !== undefined) changed[name] = await how(value as Json, memberLabel(table, row.id, name));
    }
    return changed as unknown as Tables[T];
  };
  const seal = async (value: Json, label: string): Promise<Json> => ({
    [MARK]: await vault.seal(printExact(value), label),
  });
  const open = async (value: Json, label: string): Promise<Json> => {
    const sealed = isObject(value) ? ownMember(value, MARK) : undefined;
    return typeof sealed === "string" ? parseExact(await vault.open(sealed, label)) : value;
  };
  const isPlain = (table: TableName): boolean => sealedMembers[table] === undefined;
  return {
    async get(table, id) {
      const row = await transaction.get(table, id);
      return row === undefined || isPlain(table) ? row : await change(table, row, open);
    },
    async put(table, row) {
      await transaction.put(table, isPlain(table) ? row : await change(table, row, seal));
    },
    delete: (table, id) => transaction.delete(table, id),
    async list(table, where, options) {
      const rows = await transaction.list(table, where, options);
      return isPlain(table) ? rows : await Promise.all(rows.map((row) => change(table, row, open)));
    },
    count: (table, where) => transaction.count(table, where),
  };
}
