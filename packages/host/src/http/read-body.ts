import { pipeline, Readable } from "node:stream";
import { HttpFailure } from "@configc/runtime";
import { ByteCollector } from "./byte-collector.ts";
import { decodersOf } from "./content-encoding.ts";

/**
 * Reads a body to its end and decodes it.
 *
 * @param encoding value of `content-encoding`; undefined if there is none
 * @param limit bytes of the decoded body; nothing beyond it is kept, so a small body that unfolds to a huge one does no harm
 * @throws HttpFailure, or what the source was destroyed with
 */
export async function readBody(
  source: AsyncIterable<Buffer>,
  encoding: string | undefined,
  limit: number,
): Promise<Uint8Array> {
  const body = new ByteCollector(limit);
  for await (const chunk of encoding === undefined ? source : decoded(source, encoding)) {
    if (!body.add(chunk)) throw new HttpFailure("too-large", `the body has more than ${limit} bytes`);
  }
  return body.bytes();
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
