import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Under which lock the work that runs is done. Its transactions are kept only while it is held: whoever lost it, because he stood still for
 * too long or the server crashed, can't overwrite what the next holder did.
 */
const fence = new AsyncLocalStorage<string>();

/** Runs work whose transactions need the lock with that token; of nested ones the innermost. */
export function fenced<R>(token: string, work: () => Promise<R>): Promise<R> {
  return fence.run(token, work);
}

export function currentFence(): string | undefined {
  return fence.getStore();
}
