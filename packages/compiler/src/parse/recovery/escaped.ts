import type { LineEdit } from "./other-quotes.ts";

/** Escapes of JSON, and the backslashes that aren't. */
const ESCAPES = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|\\/g;
const controls: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * The edits that make a text which was put between quotes as it is, such as a jq program that was tried out elsewhere, the
 * inside of a JSON string: a backslash before each quote, line breaks and tabs as escapes, and a backslash before each backslash
 * that nobody escaped for JSON.
 *
 * @param source what the text is a part of
 * @param from where it begins, behind the opening quote
 * @param to where it ends, before the closing one
 * @returns in offsets of the source
 */
export function escaped(source: string, from: number, to: number): LineEdit[] {
  const text = source.slice(from, to);
  const isRaw = isUnescaped(text);
  const edits: LineEdit[] = [];
  for (const { 0: found, index } of text.matchAll(isRaw ? /["\\\n\r\t]/g : /\\.|["\n\r\t]/g)) {
    const control = controls[found];
    if (control !== undefined) edits.push({ at: from + index, remove: 1, insert: control });
    else if (isRaw || found === '"') edits.push({ at: from + index, remove: 0, insert: "\\" });
  }
  return edits;
}

/** Whether a text's backslashes are its own: one is no escape of JSON, or there are two where the quotes have none. */
function isUnescaped(text: string): boolean {
  const escapes = new Set(text.match(ESCAPES));
  return escapes.has("\\") || (escapes.has("\\\\") && !escapes.has('\\"'));
}

/** Those edits in offsets from `origin`. */
export function escapedFrom(origin: number, source: string, from: number, to: number): LineEdit[] {
  return escaped(source, from, to).map((edit) => ({ ...edit, at: edit.at - origin }));
}
