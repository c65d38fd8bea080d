/** Bytes of an answer if nothing else is asked for: an agent pays for each of them. */
export const DEFAULT_LIMIT = 4_000;
export const GREATEST_LIMIT = 100_000;

/** Room for the line that says how to go on. */
const TAIL = 80;

/**
 * The part of a text that one answer has room for, in whole lines.
 *
 * @param from the first line, counted from 1
 * @param limit bytes of the whole answer; a line that is longer than that is cut, and its true length told
 * @returns the lines, and behind them, where there are more, how to get those
 */
export function pageOf(text: string, from = 1, limit = DEFAULT_LIMIT): string {
  const lines = text.trimEnd().split("\n");
  if (from > lines.length && from > 1)
    return `There are no more lines: the answer has ${lines.length}. Call again without “from”.`;
  const room = limit - TAIL;
  const taken: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(from - 1)) {
    const size = Buffer.byteLength(line) + 1;
    if (bytes + size > room) {
      if (taken.length === 0) taken.push(cut(line, room));
      break;
    }
    taken.push(line);
    bytes += size;
  }
  const next = from + taken.length;
  if (next > lines.length) return taken.join("\n");
  const left = lines.length - next + 1;
  return `${taken.join("\n")}\n(${left} more ${left === 1 ? "line" : "lines"}: call again with "from": ${next}.)`;
}

function cut(line: string, room: number): string {
  const note = ` … (cut: this line has ${line.length} characters)`;
  const bytes = Buffer.from(line).subarray(0, Math.max(0, room - Buffer.byteLength(note)));
  // A character that was cut in two is left out.
  return new TextDecoder().decode(bytes).replace(/\uFFFD$/, "") + note;
}
