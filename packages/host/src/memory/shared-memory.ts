import { type Memory, MemoryFailure, type Passing, type Room } from "@configc/runtime";
import { megabytes, onAbort } from "@configc/runtime/internal";

/** How much there is. */
export interface SharedMemoryOptions {
  /** Bytes that all have together. */
  readonly total: number;
  /** Milliseconds for which who asks waits. */
  readonly patience?: number;
}

/** What one owner has, over all its rooms. */
interface Owner {
  held: number;
  waiting: number;
}

/** Somebody who waits for room. */
interface Waiter {
  readonly room: AccountedRoom;
  readonly bytes: number;
  readonly granted: () => void;
}

/** Milliseconds. */
const PATIENCE = 10_000;
/** Of those who wait, the later ones give up so much of it later: room that one gives back by that may be enough for the next. */
const STAGGER = 1 / 200;
/** Rooms that hold no more than so much of the whole are small. */
const SMALL = 1 / 128;
/** So much of the whole is for small rooms alone. */
const RESERVE = 1 / 8;
/** One owner may hold so much of what isn't reserved. */
const MOST = 1 / 2;
/** Besides the whole, work that doesn't wait may use so much of it: there is only one of it at a time. */
const PASSING = 1 / 4;

/**
 * One budget for a process (E23). Nobody holds more than half of it, and who has more than an equal part is served after all others that wait.
 * A small request doesn't wait behind large ones: an eighth is kept for such.
 */
export class SharedMemory implements Memory {
  readonly total: number;
  readonly #patience: number;
  readonly #owners = new Map<string, Owner>();
  readonly #waiting = new Set<Waiter>();
  #held = 0;

  constructor({ total, patience = PATIENCE }: SharedMemoryOptions) {
    this.total = total;
    this.#patience = patience;
  }

  /** Bytes that are held now. */
  get held(): number {
    return this.#held;
  }

  /** Who holds something or waits: none, when all work is over. */
  get owners(): number {
    return this.#owners.size;
  }

  /** The most that one owner may hold. */
  get most(): number {
    return this.#large * MOST;
  }

  get #large(): number {
    return this.total * (1 - RESERVE);
  }

  open(owner: string): Room {
    return new AccountedRoom(this, owner);
  }

  /** For rooms only. */
  take(room: AccountedRoom, bytes: number, signal?: AbortSignal): Promise<void> | undefined {
    if (room.held + bytes > this.most)
      throw new MemoryFailure(
        "too-large",
        `it takes ${megabytes(room.held + bytes)} of memory, and one app may use ${megabytes(this.most)} at a time`,
      );
    // Who came later doesn't overtake, except for small ones.
    if ((this.#waiting.size === 0 || this.#isSmall(room, bytes)) && this.#fits(room, bytes)) {
      this.#grant(room, bytes);
      return undefined;
    }
    return this.#wait(room, bytes, signal);
  }

  /** For rooms only. @param held by the work that asks */
  passing({ owner }: AccountedRoom, held: number): Passing {
    const always = this.total * PASSING;
    const free = Math.min(this.#large - this.#held, this.most - this.#heldBy(owner));
    return { always, now: always + Math.max(0, free), ever: always + Math.max(0, this.most - held) };
  }

  /** For rooms only. */
  give({ owner }: AccountedRoom, bytes: number): void {
    this.#held -= bytes;
    this.#change(owner, -bytes, 0);
    this.#serve();
  }

  #grant(room: AccountedRoom, bytes: number): void {
    room.held += bytes;
    this.#held += bytes;
    this.#change(room.owner, bytes, 0);
  }

  #isSmall({ held }: AccountedRoom, bytes: number): boolean {
    return held + bytes <= this.total * SMALL;
  }

  #fits(room: AccountedRoom, bytes: number): boolean {
    const limit = this.#isSmall(room, bytes) ? this.total : this.#large;
    return this.#held + bytes <= limit && this.#heldBy(room.owner) + bytes <= this.most;
  }

  #heldBy(owner: string): number {
    return this.#owners.get(owner)?.held ?? 0;
  }

  /** Grants what can be: small ones first, then those who have less than an equal part, then the others, each in their order. */
  #serve(): void {
    if (this.#waiting.size === 0) return;
    let owners = 0;
    for (const { waiting } of this.#owners.values()) if (waiting > 0) owners++;
    const part = this.#large / owners;
    const rank = ({ room, bytes }: Waiter): number => {
      if (this.#isSmall(room, bytes)) return 0;
      return this.#heldBy(room.owner) + bytes <= part ? 1 : 2;
    };
    const ranked = [...this.#waiting].map((waiter) => ({ waiter, rank: rank(waiter) }));
    for (const { waiter } of ranked.sort((a, b) => a.rank - b.rank)) {
      const { room, bytes } = waiter;
      if (this.#fits(room, bytes)) {
        this.#grant(room, bytes);
        waiter.granted();
      } else if (!this.#isSmall(room, bytes) && this.#held + bytes > this.#large)
        // What comes free is kept for it: smaller ones behind it would have it wait for ever.
        return;
    }
  }

  #wait(room: AccountedRoom, bytes: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        off?.();
        room.waiters.delete(fail);
        this.#waiting.delete(waiter);
        this.#change(room.owner, 0, -1);
      };
      const fail = (error: unknown): void => {
        leave();
        reject(error);
        // Others may have waited for it alone.
        this.#serve();
      };
      const waiter: Waiter = {
        room,
        bytes,
        granted: () => {
          leave();
          resolve();
        },
      };
      const tooLate = `there was no room for ${megabytes(bytes)} in memory within ${this.#patience / 1_000} s`;
      const timer = setTimeout(
        () => fail(new MemoryFailure("no-room", tooLate)),
        this.#patience * (1 + STAGGER * this.#waiting.size),
      );
      const off = signal === undefined ? undefined : onAbort(signal, () => fail(signal.reason));
      this.#change(room.owner, 0, 1);
      this.#waiting.add(waiter);
      room.waiters.add(fail);
      this.#serve();
    });
  }

  #change(name: string, held: number, waiting: number): void {
    const owner = this.#owners.get(name) ?? { held: 0, waiting: 0 };
    owner.held += held;
    owner.waiting += waiting;
    if (owner.held === 0 && owner.waiting === 0) this.#owners.delete(name);
    else this.#owners.set(name, owner);
  }
}

class AccountedRoom implements Room {
  readonly owner: string;
  readonly waiters = new Set<(error: unknown) => void>();
  readonly #memory: SharedMemory;
  readonly #parts = new Set<AccountedRoom>();
  readonly #whole: AccountedRoom | undefined;
  held = 0;
  #closed = false;

  constructor(memory: SharedMemory, owner: string, whole?: AccountedRoom) {
    this.#memory = memory;
    this.owner = owner;
    this.#whole = whole;
  }

  take(bytes: number, signal?: AbortSignal): Promise<void> | undefined {
    if (this.#closed) throw new MemoryFailure("no-room", "its work is over");
    return bytes <= 0 ? undefined : this.#memory.take(this, bytes, signal);
  }

  passing(): Passing {
    let whole: AccountedRoom = this;
    while (whole.#whole !== undefined) whole = whole.#whole;
    return this.#memory.passing(this, whole.#heldInAll());
  }

  #heldInAll(): number {
    let { held } = this;
    for (const part of this.#parts) held += part.#heldInAll();
    return held;
  }

  part(): Room {
    const part = new AccountedRoom(this.#memory, this.owner, this);
    if (this.#closed) part.#closed = true;
    else this.#parts.add(part);
    return part;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#whole !== undefined) this.#whole.#parts.delete(this);
    for (const part of [...this.#parts]) part.close();
    for (const fail of [...this.waiters]) fail(new MemoryFailure("no-room", "its work is over"));
    const { held } = this;
    this.held = 0;
    if (held > 0) this.#memory.give(this, held);
  }
}
