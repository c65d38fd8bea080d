import { pipeline, Readable } from "node:stream";
import { HttpFailure, type HttpRequest } from "@configc/runtime";
import { ByteCollector, CoveredBytes } from "./byte-collector.ts";
import { decodersOf } from "./content-encoding.ts";

/** What a body may have. */
export type BodyLimits = Pick<HttpRequest, "maxBytes" | "room">;

/** Bytes that decoders need for themselves. */
const DECODERS = 512 * 1024;

/** Bytes that decoders are given at once. */
const PIECE = 64 * 1024;

/**
 * Decodes a body.
 *
 * @param encoding value of `content-encoding`
 * @param limits.maxBytes of the decoded body; nothing beyond it is kept, so a small body that unfolds to a huge one does no harm
 * @throws HttpFailure, MemoryFailure, or what a decoder fails with
 */
export async function decodedBody(
  bytes: Uint8Array,
  encoding: string,
  { maxBytes, room }: BodyLimits,
): Promise<Uint8Array> {
  // Without a body (HEAD, 204, or an empty one) there is nothing to decode either.
  if (bytes.length === 0) return bytes;
  const body = new ByteCollector(maxBytes);
  const covered = room && new CoveredBytes(room);
  let stream: Readable = Readable.from(piecesOf(bytes));
  // A failure anywhere ends the last stream, which is the one that is read.
  for (const decoder of decodersOf(encoding, bytes[0] ?? 0))
    stream = pipeline(stream, decoder, () => undefined);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // What a decoder looks back on is as large as what it has given, up to some megabytes.
    await covered?.cover(DECODERS + 2 * Math.min(body.needsFor(chunk.length), 2 * maxBytes));
    if (!body.add(chunk)) throw tooLarge(maxBytes);
  }
  return body.bytes();
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

export function tooLarge(maxBytes: number): HttpFailure {
  return new HttpFailure("too-large", `the body has more than ${maxBytes} bytes`);
}
