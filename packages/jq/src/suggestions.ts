/**
 * The candidate nearest to a mistyped name, or undefined if none is near: at most one edit for each
 * three characters (insertion, deletion, replacement, or exchange of neighbours). Case doesn't count.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3));
  let wanted: string | undefined;
  let best: string | undefined;
  let bestDistance = limit + 1;
  if (name.length > 64) return undefined;
  for (const candidate of candidates) {
    if (candidate === name || candidate.length > 64) continue;
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    // Most candidates are much shorter or longer.
    wanted ??= name.toLowerCase();
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance || (distance === bestDistance && best !== undefined && candidate < best)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  // Of a name of one or two letters nearly everything is near.
  return bestDistance >= name.length ? undefined : best;
}

/** The optimal string alignment distance. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous: number[] = [];
  for (let index = 0; index <= b.length; index++) previous.push(index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, previous[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, beforePrevious[j - 2]! + 1);
      }
      row.push(least);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}
