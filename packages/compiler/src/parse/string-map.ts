import type { StringNode } from "./syntax-tree.ts";

/**
 * Document offset of a place in a string's decoded value.
 *
 * Embedded languages (expansions, jq) know only the decoded value. A string without escapes maps by addition; for one with
 * escapes these are found when the first finding in it gets its place.
 *
 * @param text the document
 * @param node a string of that document
 * @param offset UTF-16 offset in `node.value`, 0 to its length
 */
export function documentOffset(text: string, node: StringNode, offset: number): number {
  const wanted = Math.max(0, Math.min(offset, node.value.length));
  const first = contentStart(text, node);
  if (!node.escaped) return Math.min(first + wanted, node.end);
  const { escapes, source } = escapesOf(text, node);
  // The last escape before the place says how much longer the source is up to there.
  let [low, high] = [0, escapes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (escapes[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  const at = low === 0 ? wanted : source[low - 1]! + (wanted - escapes[low - 1]! - 1);
  return Math.min(first + at, node.end);
}

interface Escapes {
  /** Where each escape stands in the decoded value. */
  readonly escapes: Uint32Array;
  /** Where the source goes on behind it, counted from the string's content. */
  readonly source: Uint32Array;
}

/** A string's own text doesn't change: an edit in it makes a new node. */
const known = new WeakMap<StringNode, Escapes>();

function escapesOf(text: string, node: StringNode): Escapes {
  let found = known.get(node);
  if (found === undefined) known.set(node, (found = findEscapes(text, node)));
  return found;
}

function findEscapes(text: string, node: StringNode): Escapes {
  const escapes: number[] = [];
  const source: number[] = [];
  const first = contentStart(text, node);
  let before = 0;
  for (let at = text.indexOf("\\", first); at >= 0 && at < node.end; at = text.indexOf("\\", at)) {
    const length = sourceLength(text, at);
    escapes.push(at - first - before);
    before += length - 1;
    source.push(at + length - first);
    at += length;
  }
  return { escapes: Uint32Array.from(escapes), source: Uint32Array.from(source) };
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
