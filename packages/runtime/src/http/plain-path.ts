/** Segments that don't begin with a dot, of characters that have no meaning but their own. */
const plain = /^(?:\/(?!\.)[\w.~=?&,:;@-]*)+$/;

/**
 * Whether what follows the origin of a URL is what parsing the URL would make of it, so that it needn't be parsed: it begins with the path,
 * nothing in it is a dot segment, and nothing would be encoded or left out.
 */
export function isPlainPath(text: string): boolean {
  // Of an empty query, parsing leaves nothing.
  return plain.test(text) && !text.endsWith("?");
}
