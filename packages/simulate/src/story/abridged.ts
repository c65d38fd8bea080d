/** Lines that a reader takes in at once. */
export const MOST_LINES = 10;

/**
 * The lines of a story that a reader takes in at once: its beginning and its end, and how many are left out between them.
 *
 * @param most lines, that one too
 * @param what is left out
 */
export function abridged(lines: readonly string[], most: number, what = "requests"): readonly string[] {
  if (lines.length <= most) return lines;
  const head = most >> 1;
  const tail = most - 1 - head;
  return [
    ...lines.slice(0, head),
    `          … ${lines.length - head - tail} more ${what} like these …`,
    ...lines.slice(-tail),
  ];
}
