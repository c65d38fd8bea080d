import { nearest } from "@configc/jq/internal";

/** Shorter names are too near to one another: one of the two has so many letters at least. */
const SHORTEST = 4;

/**
 * The name that was certainly meant by one that isn't there, undefined if there is no such: it differs in one letter too many,
 * too few or wrong, in the order of two, or in the spelling of its words (`firstName`, `first_name`). Stricter than what is
 * suggested elsewhere, since a response may well have a member that no sample has: `created_at` beside `updated_at`,
 * `line2` beside `line1`.
 */
export function misspellingOf(name: string, names: Iterable<string>): string | undefined {
  let found: string | undefined;
  for (const other of names) {
    if (other === name) return undefined;
    if (bare(other) === bare(name)) return other;
    if (found === undefined && areLong(name, other) && !differInDigits(name, other) && isSlip(name, other))
      found = other;
  }
  return found;
}

/** Without what tells spellings of several words apart. */
function bare(name: string): string {
  return name.replace(/[\s_-]/g, "").toLowerCase();
}

/** A name of three letters is a slip of one of four if they begin alike: `txt`, not `end` beside `send`. */
function areLong(name: string, other: string): boolean {
  return name.length >= SHORTEST || (other.length >= SHORTEST && name[0] === other[0]);
}

/** Words of names that aren't slips, and may still have been meant. */
const LONG_WORD = 5;

/**
 * The name that may have been meant, if none certainly was: it has as many words, and of these a long one that is written a
 * little differently, `tittel` for `title`. `min_price` and `max_price`, `created_at` and `updated_at` stay apart.
 */
export function nearName(name: string, names: Iterable<string>): string | undefined {
  const words = wordsOf(name);
  return nearest(
    name,
    [...names].filter((other) => {
      const others = wordsOf(other);
      if (others.length !== words.length || differInDigits(name, other)) return false;
      const [differing, another] = words.flatMap((word, index) =>
        word === others[index] ? [] : [[word, others[index]!] as const],
      );
      if (differing === undefined || another !== undefined) return false;
      const [own, meant] = differing;
      return own.length >= LONG_WORD && meant.length >= LONG_WORD && own[0] === meant[0];
    }),
  );
}

function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
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
