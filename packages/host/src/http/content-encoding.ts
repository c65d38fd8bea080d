import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { HttpFailure } from "@configc/runtime";

/** What is asked for. */
export const ACCEPTED = "gzip, deflate, br";

/** Each layer costs memory and time, and nobody needs two. */
const MOST_LAYERS = 3;

/** Encodings that exist and aren't asked for: their bodies would be taken for text. */
const unreadable = /^(?:x-)?(?:zstd|compress|dcb|dcz|exi|pack200-gzip|aes128gcm)$/;

/**
 * The decoders of a body, in the order in which they apply. Names that no registry knows (`utf-8`, `none`) are left out, because
 * servers do write them on plain bodies.
 *
 * @param header value of `content-encoding`
 * @param first the first byte of the body: raw deflate is told by it
 * @throws HttpFailure for an encoding that wasn't asked for
 */
export function decodersOf(header: string, first: number): Transform[] {
  const names = header.split(",").map((name) => name.trim().toLowerCase());
  const decoders = names.reverse().flatMap((name, index) => decoderOf(name, index === 0 ? first : undefined));
  if (decoders.length > MOST_LAYERS)
    throw new HttpFailure("network", `the body is encoded ${decoders.length} times over`);
  return decoders;
}

function decoderOf(name: string, first: number | undefined): Transform[] {
  switch (name) {
    case "gzip":
    case "x-gzip":
      return [createGunzip()];
    case "br":
      return [createBrotliDecompress()];
    case "deflate":
      // Some servers leave out the frame that the standard wants around it.
      return [first === undefined || (first & 0x0f) === 8 ? createInflate() : createInflateRaw()];
    default:
      if (unreadable.test(name))
        throw new HttpFailure(
          "network",
          `the body is encoded as ${name}, which wasn't asked for (${ACCEPTED} was)`,
        );
      return [];
  }
}
