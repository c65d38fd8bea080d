import { once } from "node:events";
import type { Socket } from "node:net";

/** What one side of a connection does next, as data. */
export type Move =
  /** Bytes as they are. */
  | { readonly send: string | Uint8Array }
  /** The same again and again; without `times` until the other side has enough. */
  | { readonly repeat: string | Uint8Array; readonly times?: number }
  /** As chunks of HTTP, each of `size` bytes, with the last one of no bytes. */
  | { readonly chunked: string | Uint8Array; readonly size: number }
  /** Nothing for so many ms. */
  | { readonly pause: number }
  /** The connection is cut with RST. */
  | { readonly reset: true }
  /** The connection stays open and silent until the other side ends it. */
  | { readonly hold: true };

/** Bytes that are written at once: as many as a socket likes, so that millions of chunks cost no memory here. */
const BLOCK = 64 * 1024;

/** Makes the moves one after the other, no faster than the other side reads; then ends its own half of the connection. */
export async function play(socket: Socket, moves: readonly Move[]): Promise<void> {
  for (const move of moves) {
    if (socket.destroyed) return;
    if ("pause" in move) await pause(move.pause);
    else if ("reset" in move) socket.resetAndDestroy();
    else if ("hold" in move) await closed(socket);
    else for (const block of blocksOf(move)) if (!(await written(socket, block))) return;
  }
  socket.end();
}

function* blocksOf(move: Extract<Move, { send: unknown } | { repeat: unknown } | { chunked: unknown }>) {
  if ("send" in move) yield Buffer.from(move.send);
  else if ("chunked" in move) yield* gathered(chunksOf(Buffer.from(move.chunked), move.size));
  else yield* gathered(repeated(Buffer.from(move.repeat), move.times ?? Number.POSITIVE_INFINITY));
}

function* repeated(bytes: Buffer, times: number): Generator<Buffer> {
  for (let time = 0; time < times; time++) yield bytes;
}

function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) {
    const chunk = bytes.subarray(start, start + size);
    yield Buffer.from(`${chunk.length.toString(16)}\r\n`);
    yield chunk;
    yield Buffer.from("\r\n");
  }
  yield Buffer.from("0\r\n\r\n");
}

function* gathered(pieces: Iterable<Buffer>): Generator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < BLOCK) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  yield Buffer.concat(waiting);
}

/** @returns false if nobody reads any more */
async function written(socket: Socket, block: Buffer): Promise<boolean> {
  if (socket.destroyed) return false;
  if (!socket.write(block))
    await Promise.race([once(socket, "drain"), closed(socket)]).catch(() => undefined);
  return !socket.destroyed;
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.destroyed) await new Promise<void>((resolve) => socket.once("close", () => resolve()));
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
