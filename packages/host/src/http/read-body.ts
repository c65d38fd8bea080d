import { pipeline, Readable } from "node:stream";
import { HttpFailure, type HttpRequest } from "@configc/runtime";
import { ByteCollector, CoveredBytes } from "./byte-collector.ts";
import { decodersOf } from "./content-encoding.ts";

/** What a body may have. */
export type BodyLimits = Pick<HttpRequest, "maxBytes" | "room">;

/** Bytes that decoders need for themselves, windows and what is on its way. */
const DECODERS = 512 * 1024;

/**
 * Reads a body to its end and decodes it.
 *
 * @param encoding value of `content-encoding`; undefined if there is none
 * @param limits.maxBytes of the decoded body; nothing beyond it is kept, so a small body that unfolds to a huge one does no harm
 * @throws HttpFailure, MemoryFailure, or what the source was destroyed with
 */
export async function readBody(
  source: AsyncIterable<Buffer>,
  encoding: string | undefined,
  { maxBytes, room }: BodyLimits,
): Promise<Uint8Array> {
  const body = new ByteCollector(maxBytes);
  const covered = room && new CoveredBytes(room);
  for await (const chunk of encoding === undefined ? source : decoded(source, encoding)) {
    await covered?.cover(DECODERS + Math.min(body.needsFor(chunk.length), 2 * maxBytes));
    if (!body.add(chunk)) throw tooLarge(maxBytes);
  }
  return body.bytes();
}

export function tooLarge(maxBytes: number): HttpFailure {
  return new HttpFailure("too-large", `the body has more than ${maxBytes} bytes`);
}

async function* decoded(source: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const raw = source[Symbol.asyncIterator]();
  const first = await raw.next();
  // Without a body (HEAD, 204, or an empty one) there is nothing to decode either.
  if (first.done === true) return;
  let stream = Readable.from(startingWith(first.value, raw));
  // A failure anywhere ends the last stream, which is the one that is read.
  for (const decoder of decodersOf(encoding, first.value[0] ?? 0))
    stream = pipeline(stream, decoder, () => undefined);
  yield* stream;
}

async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
