import { createHash } from "node:crypto";
import { readWhole } from "./read-whole.ts";

/** A file that was read, by the hash of its bytes; undefined if there was none, or it couldn't be read. */
export interface ReadFile {
  readonly path: string;
  readonly hash: string | undefined;
}

/** A sample or document, with the other files that it takes parts from. */
export interface Input extends ReadFile {
  readonly parts: readonly ReadFile[];
}

/** SHA-256 in base64. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}

/** Reads a file only to tell whether it is the same as before. */
export function fileOnDisk(path: string): ReadFile {
  try {
    return { path, hash: hashOf(readWhole(path)) };
  } catch {
    return { path, hash: undefined };
  }
}

/** The same for the same files with the same content, in the same order; of parts, which are read at the same time, the order doesn't count. */
export function inputsDigest(inputs: readonly Input[]): string {
  const listed = inputs.map(({ path, hash, parts }) => [
    [path, hash],
    ...parts.map((part) => [part.path, part.hash]).sort(byPath),
  ]);
  return listed.length === 0 ? "" : hashOf(Buffer.from(JSON.stringify(listed)));
}

function byPath(
  [a = ""]: readonly (string | undefined)[],
  [b = ""]: readonly (string | undefined)[],
): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
