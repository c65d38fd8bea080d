import type { StringNode } from "./syntax-tree.ts";

/**
 * Document offset of a place in a string's decoded value.
 *
 * Embedded languages (expansions, jq) know only the decoded value. A string without escapes maps by addition; one with
 * escapes gets a walk over its source, which happens only when a finding in it is rendered.
 *
 * @param text the document
 * @param node a string of that document
 * @param offset UTF-16 offset in `node.value`, 0 to its length
 */
export function documentOffset(text: string, node: StringNode, offset: number): number {
  const wanted = Math.max(0, Math.min(offset, node.value.length));
  const first = contentStart(text, node);
  if (!node.escaped) return Math.min(first + wanted, node.end);
  let at = first;
  for (let decoded = 0; decoded < wanted && at < node.end; decoded++) at += sourceLength(text, at);
  return Math.min(at, node.end);
}

/**
 * The reverse: offset in the decoded value of a document offset inside the string.
 * An offset in the middle of an escape belongs to the character that it writes.
 */
export function decodedOffset(text: string, node: StringNode, offset: number): number {
  const first = contentStart(text, node);
  if (!node.escaped) return Math.max(0, Math.min(offset - first, node.value.length));
  let decoded = 0;
  for (let at = first; decoded < node.value.length; decoded++) {
    at += sourceLength(text, at);
    if (at > offset) break;
  }
  return decoded;
}

/** A string whose opening quote was lost begins with its content. */
function contentStart(text: string, { start }: StringNode): number {
  return text.charCodeAt(start) === 34 ? start + 1 : start;
}

/** How many source characters write the one UTF-16 unit at `at`. An invalid escape decodes to nothing and was reported. */
function sourceLength(text: string, at: number): number {
  if (text.charCodeAt(at) !== 92) return 1;
  return text.charCodeAt(at + 1) === 117 ? 6 : 2;
}
