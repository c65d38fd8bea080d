import type { IncomingMessage, ServerResponse } from "node:http";
import { after } from "./after.ts";

/** Milliseconds in which the work for a request that was cut comes to its end. */
const AFTERMATH = 200;

/** Requests that are being answered: when all ends, they have a time, and are cut then (E26). */
export class OpenRequests {
  readonly #open = new Map<Promise<unknown>, IncomingMessage>();
  #isEnding = false;

  /** Counts a request until its work is done. */
  async during<R>(request: IncomingMessage, response: ServerResponse, work: Promise<R>): Promise<R> {
    if (this.#isEnding) response.shouldKeepAlive = false;
    this.#open.set(work, request);
    try {
      return await work;
    } finally {
      this.#open.delete(work);
    }
  }

  /** Resolves when no request is open, also of those that come meanwhile; what is open at the deadline is cut. @param grace milliseconds */
  async end(grace: number): Promise<void> {
    this.#isEnding = true;
    if (await this.#settled(grace)) return;
    for (const request of this.#open.values()) request.socket.destroy();
    await this.#settled(AFTERMATH);
  }

  async #settled(milliseconds: number): Promise<boolean> {
    const late = after(milliseconds);
    let isLate = false;
    void late.passed.then(() => {
      isLate = true;
    });
    while (this.#open.size > 0 && !isLate)
      await Promise.race([Promise.allSettled(this.#open.keys()), late.passed]);
    late.end();
    return this.#open.size === 0;
  }
}
