import { not, posixSet, range } from "./character-sets.ts";
import type { Cursor } from "./cursor.ts";
import { type Escape, readEscape } from "./escapes.ts";
import { type CharacterSet, type PlainSet, RegexError } from "./tree.ts";

/** A class of one character is that character: `code`. */
type CharacterClass = { readonly code: number } | { readonly set: CharacterSet };

/** Reads a class, from behind its opening bracket on. A bracket right there, or behind `^`, is a character. */
export function readClass(cursor: Cursor, ignoreCase: boolean): CharacterClass {
  const negated = cursor.take("^");
  if (cursor.peek() === "]" && !/^\](?:[^\\\]]|\\[\s\S])*\]/.test(cursor.text.slice(cursor.at)))
    throw new RegexError("empty char-class");
  const sets: PlainSet[] = [];
  const ranges: (readonly [number, number])[] = [];
  for (let first = true; ; first = false) {
    if (cursor.done) throw new RegexError("premature end of char-class");
    if (cursor.peek() === "]" && !first) break;
    const { set, codes } = readItem(cursor);
    if (set !== undefined) sets.push(set);
    if (codes === undefined) continue;
    for (const code of codes) ranges.push([code, code]);
    const dash = cursor.peek() === "-" && cursor.peek(1) !== "]" && cursor.peek(1) !== undefined;
    if (!dash) continue;
    cursor.at++;
    const to = readItem(cursor).codes?.[0];
    const from = ranges.pop()![0];
    if (to === undefined) throw new RegexError("char-class value at end of range");
    if (to < from) throw new RegexError("empty range in char class");
    ranges.push([from, to]);
  }
  cursor.at++;
  const [only] = ranges;
  if (!negated && sets.length === 0 && ranges.length === 1 && only![0] === only![1])
    return { code: only![0] };
  const parts = [...ranges.map(([from, to]) => range(from, to)), ...sets];
  const written: PlainSet = parts.length === 1 ? parts[0]! : { kind: "union", of: parts };
  const set: CharacterSet = ignoreCase ? { kind: "cases", of: written } : written;
  return { set: negated ? not(set) : set };
}

function readItem(cursor: Cursor): Escape {
  if (cursor.peek() === "\\") {
    if (cursor.take("\\b")) return { codes: [8] };
    return readEscape(cursor, true);
  }
  const posix = cursor.read(/\[:(\^?)(\w*):\]/y);
  if (posix === undefined) return { codes: [cursor.next()] };
  const set = posixSet(posix[2]!);
  return { set: posix[1] === "^" ? not(set) : set };
}
