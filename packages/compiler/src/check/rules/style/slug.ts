/** The recommended form of names: lower case, with one dash for each run of what isn't a letter or digit. */
export function slugOf(label: string): string {
  return dashed(withoutMarks(label.toLowerCase()));
}

/**
 * Whether a name is the slug of a label. The specification's "lower case, non-letters replaced by dashes" leaves open what
 * becomes of digits, apostrophes, accents, umlauts and of several such characters in a row: every reading is fine.
 */
export function isSlugOf(name: string, label: string): boolean {
  const lower = label.toLowerCase();
  if (name === dashed(lower)) return true;
  const spellings = [lower, withoutMarks(lower), withoutMarks(spelledOut(lower))];
  const readings = new Set(spellings.flatMap((text) => [text, text.replace(/['’]/g, "")]));
  return [...readings].some(
    (text) =>
      dashed(text) === name ||
      text.replace(/[^\p{L}\p{N}]/gu, "-") === name ||
      dashed(text.replace(/\p{N}+/gu, "-")) === name,
  );
}

/** `listId`, `List_ID` → `list-id` */
export function kebab(id: string): string {
  return dashed(id.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1-$2").toLowerCase());
}

function dashed(text: string): string {
  // Patterns with properties of Unicode are compiled for milliseconds, and again whenever V8 has forgotten them.
  const parts = isAscii(text) ? text.replace(/[^a-z\d]+/gi, "-") : text.replace(/[^\p{L}\p{N}\p{M}]+/gu, "-");
  return parts.replace(/^-|-$/g, "");
}

function isAscii(text: string): boolean {
  return !/[^ -~]/.test(text);
}

/** Letters as they are written where a language has two for one: `für` → `fuer`, `øl` → `oel`, `cœur` → `coeur`. */
function spelledOut(text: string): string {
  return text.normalize("NFC").replace(/[äöüßåøæœ]/g, (letter) => letterPairs[letter] ?? letter);
}

const letterPairs: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  å: "aa",
  ø: "oe",
  æ: "ae",
  œ: "oe",
};

/** Letters without their accents, where they can be told apart. */
function withoutMarks(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC");
}
