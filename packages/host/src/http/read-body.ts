import { once } from "node:events";
import { pipeline, type Readable } from "node:stream";
import { HttpFailure } from "@configc/runtime";
import { decodersOf } from "./content-encoding.ts";

/**
 * Reads a body to its end and decodes it.
 *
 * @param encoding value of `content-encoding`; undefined if there is none
 * @param limit bytes of the decoded body; nothing beyond it is kept, so a small body that unfolds to a huge one does no harm
 * @throws HttpFailure, or what the source was destroyed with
 */
export async function readBody(
  source: Readable,
  encoding: string | undefined,
  limit: number,
): Promise<Uint8Array> {
  let stream = source;
  if (encoding !== undefined) {
    const first = await firstByte(source);
    // Without a body (HEAD, 204, or an empty one) there is nothing to decode either.
    if (first === undefined) return new Uint8Array();
    const decoders = decodersOf(encoding, first);
    // Each decoder's failure ends the last stream, from which it is read.
    for (const decoder of decoders) stream = pipeline(stream, decoder, () => undefined);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limit) {
      source.destroy();
      throw new HttpFailure("too-large", `the body has more than ${limit} bytes`);
    }
    chunks.push(chunk);
  }
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, bytes);
}

async function firstByte(source: Readable): Promise<number | undefined> {
  for (;;) {
    const chunk = source.read() as Buffer | null;
    if (chunk !== null) {
      source.unshift(chunk);
      if (chunk.length > 0) return chunk[0];
    }
    if (source.readableEnded || source.destroyed) return undefined;
    await Promise.race([once(source, "readable"), once(source, "end")]);
  }
}
