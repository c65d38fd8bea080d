/** Characters of a program that a message shows of one name or text. */
export const EXCERPT_LENGTH = 60;

/** A text of the author as a message shows it: whole, or its beginning with `…`; never half of a surrogate pair. */
export function excerpt(text: string, length: number = EXCERPT_LENGTH): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length - 1);
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
