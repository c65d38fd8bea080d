import { abortable } from "../abort.ts";

/** Lines of work by key, within one process: first come, first served. */
export class Locks {
  readonly #tails = new Map<string, Promise<void>>();

  /**
   * @param signal ends the waiting, not the work
   * @throws the signal's reason, or what the work throws
   */
  async run<R>(key: string, work: () => Promise<R>, signal?: AbortSignal): Promise<R> {
    const before = this.#tails.get(key);
    let release = (): void => undefined;
    const own = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Who gives up waiting must not let the next one pass those before.
    const tail = before === undefined ? own : before.then(() => own);
    this.#tails.set(key, tail);
    try {
      if (before !== undefined) await (signal === undefined ? before : abortable(before, signal));
      signal?.throwIfAborted();
      return await work();
    } finally {
      release();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }

  /** Resolves when all that was begun before has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#tails.values());
  }
}
