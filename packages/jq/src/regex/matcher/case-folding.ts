/** Foldings that were asked for. */
const known = new Map<number, string>();

/**
 * Unicode's full case folding of a character: what is equal when case doesn't count has the same one (`ß` and `ss`).
 * JavaScript has no function for it; its mappings of case lead there.
 */
export function fold(code: number): string {
  let folded = known.get(code);
  if (folded === undefined) {
    folded = folding(code);
    known.set(code, folded);
  }
  return folded;
}

/** The folding of several characters, one after the other. */
export function foldAll(codes: readonly number[]): string {
  return codes.map(fold).join("");
}

function folding(code: number): string {
  if (code < 0) return "\u{10ffff}";
  const character = String.fromCodePoint(code);
  // The dotless i folds to itself in all languages but Turkish ones.
  if (character === "ı") return character;
  // One by one: a sigma at the end of a word has a lower case of its own.
  return [...[...character.toLowerCase()].map(upper).join("")].map((each) => each.toLowerCase()).join("");
}

function upper(character: string): string {
  return character === "ı" ? character : character.toUpperCase();
}

/** Characters by their folding, where there are several. Made when a text outside ASCII asks for it. */
let families: Map<string, number[]> | undefined;

/** A code point and all others that are equal to it when case doesn't count. */
export function caseVariants(code: number): readonly number[] {
  if (code < 128) {
    const letter = code | 0x20;
    if (letter < 0x61 || letter > 0x7a) return [code];
    const both = [letter, letter & ~0x20];
    // The long s, and the sign of the Kelvin.
    return letter === 0x73 ? [...both, 0x17f] : letter === 0x6b ? [...both, 0x212a] : both;
  }
  families ??= allFamilies();
  return families.get(fold(code)) ?? [code];
}

/** No letter with two cases lies beyond. */
const LAST_CASED = 0x1e943;

function allFamilies(): Map<string, number[]> {
  const all = new Map<string, number[]>();
  for (let code = 0; code <= LAST_CASED; code++) {
    if (code === 0xd800) code = 0xe000;
    const folded = folding(code);
    const family = all.get(folded);
    if (family === undefined) all.set(folded, [code]);
    else family.push(code);
  }
  for (const [folded, family] of all) if (family.length === 1) all.delete(folded);
  return all;
}
