import type { Guard } from "./third-party.ts";

/** Accounts by a key that stands in a header, after a prefix. */
export function byKey(header: string, prefix: string, accounts: Readonly<Record<string, string>>): Guard {
  return ({ headers }) => {
    const value = `${headers[header] ?? ""}`;
    const key = value.startsWith(prefix) ? value.slice(prefix.length) : "";
    return Object.hasOwn(accounts, key) ? accounts[key] : undefined;
  };
}

/** Accounts by user name and password. */
export function byPassword(accounts: Readonly<Record<string, string>>): Guard {
  return ({ headers: { authorization = "" } }) => {
    const pair = Buffer.from(authorization.replace(/^Basic /, ""), "base64").toString();
    const [user = "", password] = pair.split(":");
    return Object.hasOwn(accounts, user) && accounts[user] === password ? user : undefined;
  };
}
