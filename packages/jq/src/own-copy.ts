/**
 * The same text, for what is kept: engines make a part of a text a view of it, which keeps the whole document as long as the part. Joining
 * writes a new text.
 */
export function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}
