export { storedCredentials } from "./credentials.ts";
export { Locks } from "./locks.ts";
export { memoryStore } from "./memory.ts";
export { sealedStore } from "./sealed.ts";
export type { ListOptions, Store, Transaction, Where } from "./store.ts";
export type * from "./tables.ts";
export { createVault, type Vault } from "./vault.ts";
