export { sealedCredential, storedCredentials } from "./credentials.ts";
export { Locks } from "./locks.ts";
export { memoryStore } from "./memory.ts";
export { decodeRow, encodeRow } from "./rows.ts";
export { type Owners, readValues, storedValues } from "./saved-data.ts";
export { sealedStore } from "./sealed.ts";
export type { ListOptions, Store, Transaction, Where } from "./store.ts";
export * from "./tables.ts";
export { createVault, type Vault } from "./vault.ts";
