/** Small pieces of sentences that messages share. */

/** What could be: "`a`", "`a` or `b`", "`a`, `b` or `c`"; long lists are cut. */
export function oneOfNames(names: readonly string[]): string {
  return joined(names, "or");
}

/** What there is: "`a`", "`a` and `b`", "`a`, `b` and `c`"; long lists are cut. */
export function allNames(names: readonly string[]): string {
  return joined(names, "and");
}

/** Names that a message shows of a list. */
const MOST_NAMES = 12;

function joined(names: readonly string[], conjunction: "or" | "and"): string {
  const quoted = names.slice(0, MOST_NAMES).map((name) => `\`${name}\``);
  if (names.length > MOST_NAMES) return `${quoted.join(", ")} and ${names.length - MOST_NAMES} more`;
  if (quoted.length <= 1) return quoted.join("");
  return `${quoted.slice(0, -1).join(", ")} ${conjunction} ${quoted.at(-1)}`;
}

/** " Did you mean `x`?" or nothing. */
export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? "" : ` Did you mean \`${suggestion}\`?`;
}

/** "1 step", "2 steps" */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Text from a document, fit for a message: one line, not too long. */
export function excerpt(text: string, limit = 60): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** A text as it begins a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
