/** What differs between two versions of a text: everything before `from` is the same, and everything from `oldTo` and `newTo` on. */
export interface Change {
  readonly from: number;
  readonly oldTo: number;
  readonly newTo: number;
}

/** Texts are compared in pieces of this size first, which the engine does many times faster than character by character. */
const PIECE = 4096;

/** The smallest range outside of which two texts are equal. */
export function changeBetween(before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from + PIECE <= shorter && before.slice(from, from + PIECE) === after.slice(from, from + PIECE))
    from += PIECE;
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from++;
  let [oldTo, newTo] = [before.length, after.length];
  const least = shorter - from;
  let same = 0;
  while (
    same + PIECE <= least &&
    before.slice(oldTo - same - PIECE, oldTo - same) === after.slice(newTo - same - PIECE, newTo - same)
  )
    same += PIECE;
  while (same < least && before.charCodeAt(oldTo - same - 1) === after.charCodeAt(newTo - same - 1)) same++;
  oldTo -= same;
  newTo -= same;
  return { from, oldTo, newTo };
}
