/** The recommended form of names: lower case, with one dash for each run of what isn't a letter or digit. */
export function slugOf(label: string): string {
  return dashed(withoutMarks(label.toLowerCase()));
}

/**
 * Whether a name is the slug of a label. The specification's "lower case, non-letters replaced by dashes" leaves open what
 * becomes of digits, apostrophes, accents and of several such characters in a row: every reading is fine.
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

/** How German and Nordic writers spell their letters in ASCII: `ue` for `ü`, `ss` for `ß`. */
function spelledOut(text: string): string {
  return text.normalize("NFC").replace(/[äöüßæøå]/g, (letter) => asciiOf[letter] as string);
}

const asciiOf: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  æ: "ae",
  ø: "oe",
  å: "aa",
};

/** Letters without their accents, where they can be told apart. */
function withoutMarks(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC");
}
