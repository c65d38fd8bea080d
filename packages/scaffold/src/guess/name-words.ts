/** The words of a name, in lower case: `updatedSince`, `updated_since` and `updated[since]` are the same two. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
}

/** A name in one form: `updated since`. */
export function phrase(name: string): string {
  return wordsOf(name).join(" ");
}

/** “Mailing lists” of `mailing_lists`. */
export function titled(name: string): string {
  const text = phrase(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `mailing-lists` of “Mailing lists”, as names of workflows and intakes are written. */
export function slug(text: string): string {
  return wordsOf(text.normalize("NFKD").replace(/\p{M}/gu, "")).join("-");
}

/** “list” of “lists”, “company” of “companies”; good enough for a label. */
export function singular(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word === "people") return "person";
  return word
    .replace(/ies$/, "y")
    .replace(/(x|ch|sh|ss)es$/, "$1")
    .replace(/s$/, "");
}
