import type { AppNode } from "@configc/compiler";
import { abortError, RunError } from "../errors.ts";
import { idOf } from "../store/id.ts";

/**
 * The memory of the process, as far as strangers decide how much is used: answers, bodies of webhooks, what they unfold to, and the values that are
 * made of them (E23). Bytes are what they take up in memory, not on the wire.
 */
export interface Memory {
  /**
   * Opens an account for one piece of work. It has to be closed.
   *
   * @param owner for whom the work is: each has a share
   */
  open(owner: string): Room;
}

/** What one piece of work holds. */
export interface Room {
  /**
   * Takes room before it is used.
   *
   * @returns undefined if there is room, which is the usual; else what resolves when there is
   * @throws MemoryFailure also by what it returns; the signal's reason
   */
  take(bytes: number, signal?: AbortSignal): Promise<void> | undefined;
  /** How much may be used besides what is held, by work that doesn't wait for anything and leaves nothing behind. */
  passing(): Passing;
  /** A further account of the same owner, for a part of the work that ends earlier. */
  part(): Room;
  /** Gives all back, that of its parts too. Nothing can be taken any more. May be called again. */
  close(): void;
}

/** Bytes that may be used in passing (E44). */
export interface Passing {
  /** Whatever others hold. */
  readonly always: number;
  /** With what is free. */
  readonly now: number;
  /** If nobody else held anything. */
  readonly ever: number;
}

/** `too-large`: it would never fit. `no-room`: others have it just now, and it didn't become free in time. */
export type MemoryFailureKind = "too-large" | "no-room";

/** There isn't as much memory as a piece of work needs. */
export class MemoryFailure extends Error {
  readonly kind: MemoryFailureKind;
  constructor(kind: MemoryFailureKind, message: string) {
    super(message);
    this.name = "MemoryFailure";
    this.kind = kind;
  }
}

/** Whether an error is a `MemoryFailure`; also of another copy of this package, as in a bundled app. */
export function isMemoryFailure(error: unknown): error is MemoryFailure {
  return (
    error instanceof MemoryFailure ||
    (error instanceof Error && error.name === "MemoryFailure" && "kind" in error)
  );
}

/** Whose share of the memory is used: each connection of an app has its own. */
export function ownerOf(name: string, connection: string | undefined): string {
  return connection === undefined ? idOf(name) : idOf(name, connection);
}

/**
 * A failure as the error of a run: what is too large by itself fails for its own reasons, what had no room has to wait (E24).
 *
 * @param what it is that can't be held
 */
export function memoryError(failure: MemoryFailure, what: string, place?: AppNode): RunError {
  const kind = failure.kind === "too-large" ? "LimitError" : "MemoryError";
  return new RunError(kind, `${what} can't be held: ${failure.message}.`, place, { cause: failure });
}

/**
 * Takes room for something that a run needs, or waits until it is there.
 *
 * @param what it is, in an error
 * @returns undefined if there is room, which is the usual
 * @throws RunError of `memoryError`, or that of the signal
 */
export function takeRoom(
  room: Room | undefined,
  bytes: number,
  what: string,
  signal: AbortSignal,
  place?: AppNode,
): Promise<void> | undefined {
  const failed = (error: unknown): never => {
    if (signal.aborted) throw abortError(signal, place);
    throw isMemoryFailure(error) ? memoryError(error, what, place) : error;
  };
  try {
    return room?.take(bytes, signal)?.catch(failed);
  } catch (error) {
    return failed(error);
  }
}

/** Bytes of memory as people read them. */
export function megabytes(bytes: number): string {
  return `${Math.max(1, Math.ceil(bytes / 1024 / 1024))} MB`;
}
