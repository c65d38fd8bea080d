import { MemoryFailure, type Room } from "@configc/runtime";

/** Bytes that are set aside for a body at first, whatever its sender says of its length. */
const FIRST = 16 * 1024;

/**
 * Collects the parts of a body in one buffer that grows. Parts aren't kept: as a buffer of its own, a part of one byte would cost
 * a hundred.
 */
export class ByteCollector {
  #buffer: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  #length = 0;
  readonly #most: number;
  readonly #expected: number;

  /**
   * @param most bytes that it takes
   * @param expected bytes that are said to come; it may be wrong
   */
  constructor(most: number, expected?: number) {
    this.#most = most;
    this.#expected = Math.min(expected ?? FIRST, most);
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** Bytes that it needs while a part of that size is added: those of its buffer, and of the next one where it has to grow. */
  needsFor(size: number): number {
    const next = this.#capacityFor(this.#length + size);
    return next === this.#buffer.length ? next : next + this.#length;
  }

  /** @returns false for a part that is too much: it isn't added */
  add(part: Uint8Array): boolean {
    const length = this.#length + part.length;
    if (length > this.#most) return false;
    const capacity = this.#capacityFor(length);
    if (capacity > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(capacity);
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    this.#buffer.set(part, this.#length);
    this.#length = length;
    return true;
  }

  /** All bytes; it can't be added to any more. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Twice as much each time, so that each byte is copied twice at most on average; what is expected is a good place to stop. */
  #capacityFor(length: number): number {
    const capacity = this.#buffer.length;
    if (length <= capacity) return capacity;
    const doubled = Math.max(length, 2 * capacity, Math.min(this.#expected, FIRST));
    return Math.min(doubled, length <= this.#expected ? this.#expected : this.#most);
  }
}

/** Room for bytes that become more. */
export class CoveredBytes {
  readonly #room: Room;
  #covered = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  /** Takes what is missing to so many. @throws MemoryFailure as `Room.take` does */
  cover(bytes: number): Promise<void> | undefined {
    if (bytes <= this.#covered) return undefined;
    const more = bytes - this.#covered;
    this.#covered = bytes;
    return this.#room.take(more);
  }
}

/** Bytes that may come in while room for them is waited for. */
const CREDIT = 1024 * 1024;

/**
 * A body that comes in as it likes, and whose bytes are covered by room. The client can't be told to pause: its parser ends the process when the server
 * closes the connection meanwhile. So while room is waited for, a little more comes in on credit, and what is more than that fails.
 */
export class CoveredBody {
  readonly #body: ByteCollector;
  readonly #most: number;
  readonly #covered: CoveredBytes | undefined;
  #waiting: Promise<void> | undefined;
  #paid = 0;

  constructor({ maxBytes, room }: { readonly maxBytes: number; readonly room?: Room }, expected?: number) {
    this.#most = maxBytes;
    this.#body = new ByteCollector(maxBytes, expected);
    this.#covered = room && new CoveredBytes(room);
  }

  /**
   * @returns false if it is too large
   * @throws MemoryFailure
   */
  add(part: Uint8Array): boolean {
    const needed = this.#body.needsFor(part.length);
    if (!this.#body.add(part)) return false;
    if (this.#waiting === undefined) {
      const granted = this.#covered?.cover(Math.min(needed, 2 * this.#most));
      if (granted === undefined) this.#paid = this.#body.length;
      else this.#wait(granted);
    } else if (this.#body.length > this.#paid + CREDIT)
      throw new MemoryFailure("no-room", "others use the memory just now");
    return true;
  }

  #wait(granted: Promise<void>): void {
    this.#waiting = granted.then(() => {
      this.#waiting = undefined;
      this.#paid = this.#body.length;
    });
    // It is told at the end, if not before.
    this.#waiting.catch(() => undefined);
  }

  /** All bytes, when there is room for them. @throws MemoryFailure */
  async whole(): Promise<Uint8Array> {
    await this.#waiting;
    await this.#covered?.cover(this.#body.needsFor(0));
    return this.#body.bytes();
  }

  /** The same if there is room at once, which is the usual; undefined if it has to be waited for. @throws MemoryFailure */
  ready(): Uint8Array | undefined {
    if (this.#waiting !== undefined) return undefined;
    const granted = this.#covered?.cover(this.#body.needsFor(0));
    if (granted === undefined) return this.#body.bytes();
    this.#wait(granted);
    return undefined;
  }
}

/** Bytes that a `content-length` promises; undefined where it doesn't say. */
export function lengthOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
