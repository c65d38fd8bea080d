/** Shorter names are too near to one another. */
const SHORTEST = 4;

/**
 * The name that was certainly meant by one that isn't there, undefined if there is no such: it differs in one letter too many,
 * too few or wrong, in the order of two, or in the spelling of its words (`firstName`, `first_name`). Stricter than what is
 * suggested elsewhere, since a response may well have a member that no sample has: `created_at` beside `updated_at`,
 * `line2` beside `line1`.
 */
export function slipOf(name: string, names: Iterable<string>): string | undefined {
  let found: string | undefined;
  for (const other of names) {
    if (other === name) return undefined;
    if (bare(other) === bare(name)) return other;
    if (found === undefined && name.length >= SHORTEST && !differInDigits(name, other) && isSlip(name, other))
      found = other;
  }
  return found;
}

/** Without what tells spellings of several words apart. */
function bare(name: string): string {
  return name.replace(/[\s_-]/g, "").toLowerCase();
}

function differInDigits(a: string, b: string): boolean {
  return a.replace(/\d/g, "") === b.replace(/\d/g, "");
}

function isSlip(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let from = 0;
  while (from < short.length && short[from] === long[from]) from++;
  let back = 0;
  while (back < short.length - from && short.at(-1 - back) === long.at(-1 - back)) back++;
  const [left, right] = [short.slice(from, short.length - back), long.slice(from, long.length - back)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right === `${left[1]}${left[0]}`;
}
