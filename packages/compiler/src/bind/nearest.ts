import { distance } from "fastest-levenshtein";

/**
 * The candidate that a misspelled name most likely means; undefined if none is near.
 *
 * A third of the characters may differ, and letter case doesn't count, so `Form_Id` finds `form-id` and `foo` doesn't find
 * `bar`. Among equally near ones the first wins.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 200) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.ceil(wanted.length / 3) + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const found = distance(wanted, candidate.toLowerCase());
    if (found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  return best;
}
