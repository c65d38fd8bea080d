import type { IncomingMessage } from "node:http";
import { isMemoryFailure, type Room } from "@configc/runtime";
import { ByteCollector, CoveredBytes, lengthOf } from "../http/byte-collector.ts";
import { SharedMemory } from "../memory/index.ts";

/** Bytes of a delivery's body at most. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Milliseconds for a whole body. Most come at once. */
const TIME = 30_000;

/** Milliseconds after which a body that isn't there is slow; and how many may be so, of one source and of all. */
const SLOW = 1_000;
const SLOW_OF_SOURCE = 32;
const SLOW_OF_ALL = 256;

/** Milliseconds for which a body waits for room: its sender sends it again. */
const PATIENCE = 2_000;

/** The least that all bodies have together, so that one of the largest fits with what it grows from. */
const LEAST = 48 * 1024 * 1024;
/** Of the memory for everything else; bodies have as much besides. */
const PART = 1 / 8;

/** Why a body isn't read. */
export class BodyRefused extends Error {
  readonly status: 408 | 413 | 503;
  constructor(status: 408 | 413 | 503, message: string) {
    super(message);
    this.status = status;
  }
}

/** The sender went away in the middle. */
export class SenderGone extends Error {}

interface IncomingBodiesOptions {
  /** Bytes of memory for everything else. */
  readonly memory: number;
  /** Milliseconds for a whole body. */
  readonly time?: number;
  /** Of one source, and of all. */
  readonly slow?: readonly [ofSource: number, ofAll: number];
}

/**
 * Reads the bodies of requests from strangers (E25): so many bytes of one source and of all at a time, and so many slow ones.
 */
export class IncomingBodies {
  readonly memory: SharedMemory;
  readonly #time: number;
  readonly #slowest: readonly [number, number];
  readonly #slow = new Map<string, number>();
  #allSlow = 0;

  constructor({ memory, time = TIME, slow = [SLOW_OF_SOURCE, SLOW_OF_ALL] }: IncomingBodiesOptions) {
    this.memory = new SharedMemory({ total: Math.max(LEAST, memory * PART), patience: PATIENCE });
    this.#time = time;
    this.#slowest = slow;
  }

  /** How many bodies are slow in coming now. */
  get slow(): number {
    return this.#allSlow;
  }

  /**
   * @param room holds the bytes until it is closed
   * @throws BodyRefused, SenderGone; what is left of the body is still to be read then
   */
  async read(request: IncomingMessage, source: string, room: Room): Promise<Uint8Array> {
    const length = lengthOf(request.headers["content-length"]);
    if (length !== undefined && length > MOST_BYTES) throw tooLarge();
    const body = new ByteCollector(MOST_BYTES, length);
    const covered = new CoveredBytes(room);
    const timers: NodeJS.Timeout[] = [];
    let isSlow = false;
    try {
      await new Promise<void>((resolve, reject) => {
        const late = (): void => reject(new BodyRefused(408, "The body didn't come in time."));
        const slow = (): void => {
          if (this.#isFull(source)) reject(busy());
          else {
            isSlow = true;
            this.#countSlow(source, 1);
          }
        };
        timers.push(setTimeout(late, this.#time), setTimeout(slow, Math.min(SLOW, this.#time)));
        const add = (chunk: Buffer): void => {
          if (!body.add(chunk)) reject(tooLarge());
        };
        const take = (chunk: Buffer): void => {
          try {
            const wait = covered.cover(Math.min(body.needsFor(chunk.length), 2 * MOST_BYTES));
            if (wait === undefined) return add(chunk);
            request.pause();
            wait.then(() => {
              add(chunk);
              request.resume();
            }, reject);
          } catch (error) {
            reject(error);
          }
        };
        request.on("data", take);
        request.once("end", resolve);
        for (const event of ["close", "error"]) request.once(event, () => reject(new SenderGone()));
        if (request.destroyed) reject(new SenderGone());
      });
      return body.bytes();
    } catch (error) {
      if (!isMemoryFailure(error)) throw error;
      throw error.kind === "too-large" ? tooLarge() : busy();
    } finally {
      for (const timer of timers) clearTimeout(timer);
      if (isSlow) this.#countSlow(source, -1);
      request.removeAllListeners("data");
      request.pause();
    }
  }

  #isFull(source: string): boolean {
    const [ofSource, ofAll] = this.#slowest;
    return this.#allSlow >= ofAll || (this.#slow.get(source) ?? 0) >= ofSource;
  }

  #countSlow(source: string, change: 1 | -1): void {
    this.#allSlow += change;
    const count = (this.#slow.get(source) ?? 0) + change;
    if (count === 0) this.#slow.delete(source);
    else this.#slow.set(source, count);
  }
}

function tooLarge(): BodyRefused {
  return new BodyRefused(413, `A delivery has at most ${MOST_BYTES} bytes.`);
}

function busy(): BodyRefused {
  return new BodyRefused(503, "Too much is being sent just now. Try again later.");
}
