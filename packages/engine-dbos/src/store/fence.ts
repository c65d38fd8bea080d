import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Under which of a store's locks the work that runs is done. Its transactions are kept only while that is held: whoever lost it, because
 * he stood still for too long or the server crashed, can't overwrite what the next holder did.
 */
export class Fence {
  readonly #token = new AsyncLocalStorage<string>();

  /** Runs work whose transactions need the lock with that token; of nested ones the innermost. */
  run<R>(token: string, work: () => Promise<R>): Promise<R> {
    return this.#token.run(token, work);
  }

  current(): string | undefined {
    return this.#token.getStore();
  }
}
