/** What differs between two versions of a text: everything before `from` is the same, and everything from `oldTo` and `newTo` on. */
export interface Change {
  readonly from: number;
  readonly oldTo: number;
  readonly newTo: number;
}

/** Texts are compared in pieces of these sizes first, which the engine does many times faster than character by character. */
const PIECES = [1 << 16, 1 << 12, 1 << 6];

/** The smallest range outside of which two texts are equal. */
export function changeBetween(before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  for (const piece of PIECES)
    while (from + piece <= shorter && before.slice(from, from + piece) === after.slice(from, from + piece))
      from += piece;
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from++;
  let [oldTo, newTo] = [before.length, after.length];
  const least = shorter - from;
  let same = 0;
  for (const piece of PIECES)
    while (
      same + piece <= least &&
      before.slice(oldTo - same - piece, oldTo - same) === after.slice(newTo - same - piece, newTo - same)
    )
      same += piece;
  while (same < least && before.charCodeAt(oldTo - same - 1) === after.charCodeAt(newTo - same - 1)) same++;
  oldTo -= same;
  newTo -= same;
  return { from, oldTo, newTo };
}
