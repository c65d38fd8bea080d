/** Milliseconds that one line of work may keep a process to itself. */
const LONGEST = 10;

/** Lets others have their turn now and then: a pipeline without requests would never wait for anything. */
export class Pause {
  #since = performance.now();

  /** @returns undefined if it isn't due, which is the usual */
  ifDue(): Promise<void> | undefined {
    return performance.now() - this.#since < LONGEST ? undefined : this.#rest();
  }

  async #rest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#since = performance.now();
  }
}
