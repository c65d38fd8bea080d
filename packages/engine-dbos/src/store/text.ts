import { createHash } from "node:crypto";

/** Bytes of a text that an index takes; three of them have to fit into one of its pages' entries. */
const LONGEST = 600;

/**
 * A text as a column keeps it: Postgres refuses NUL, can't keep halves of surrogate pairs and indexes no long texts. Different texts
 * stay different.
 */
export function columnText(text: string): string {
  const kept = text.replace(
    /[\\\0]|\p{Surrogate}/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (Buffer.byteLength(kept) <= LONGEST) return kept;
  return `\\h${createHash("sha256").update(kept).digest("base64url")}`;
}
