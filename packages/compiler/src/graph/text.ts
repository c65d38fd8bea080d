/** Columns of a detail before it is cut: a program may be long, and the picture only says that there is one. */
export const DETAIL_COLUMNS = 44;

/** Columns of a text: East Asian characters and emoji take two. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text)
    columns += /[\u1100-\u115f\u2e80-\uffdc\u{1f300}-\u{1faff}]/u.test(character) ? 2 : 1;
  return columns;
}

/** A text on one line, cut where it would take more columns. */
export function cut(text: string, columns: number): string {
  const plain = text.replace(/\s+/g, " ");
  if (columnsOf(plain) <= columns) return plain;
  let kept = "";
  for (const character of plain) {
    if (columnsOf(kept + character) >= columns) break;
    kept += character;
  }
  return `${kept}…`;
}
