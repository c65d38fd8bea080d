import { type Cell, cellsOf } from "../terminal/text.ts";

/** A part of a text to point at. */
export interface Mark {
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** Written below the line, after the carets. */
  readonly label?: string;
  readonly primary: boolean;
}

export type SnippetLine =
  | { readonly kind: "source"; readonly number: number; readonly text: string }
  | { readonly kind: "marks"; readonly indentation: number; readonly carets: string; readonly mark: Mark }
  | { readonly kind: "gap" };

/**
 * The lines of a text around some marks, each mark below its line. A line that doesn't fit is cut around its marks.
 *
 * @param lines the text's lines, without their ends
 * @param starts offset of each line
 * @param width columns that a line may take
 */
export function snippet(
  source: { readonly lines: readonly string[]; readonly starts: readonly number[] },
  marks: readonly Mark[],
  width: number,
): SnippetLine[] {
  const byLine = new Map<number, Mark[]>();
  for (const mark of marks) {
    const line = lineAt(source.starts, mark.start);
    byLine.set(line, [...(byLine.get(line) ?? []), mark]);
  }
  const primary = lineAt(source.starts, marks.find((mark) => mark.primary)?.start ?? 0);
  const shown = new Set(byLine.keys());
  // A line of context before the finding, if there is something on it.
  if (primary > 0 && source.lines[primary - 1]?.trim() !== "") shown.add(primary - 1);
  const result: SnippetLine[] = [];
  let previous: number | undefined;
  for (const line of [...shown].sort((a, b) => a - b)) {
    if (previous !== undefined && line > previous + 1) result.push({ kind: "gap" });
    previous = line;
    const own = [...(byLine.get(line) ?? [])].sort(
      (a, b) => Number(b.primary) - Number(a.primary) || a.start - b.start,
    );
    const start = source.starts[line]!;
    const view = new LineView(
      source.lines[line] ?? "",
      own[0] === undefined ? 0 : own[0].start - start,
      width,
    );
    result.push({ kind: "source", number: line + 1, text: view.text });
    for (const mark of own) result.push({ kind: "marks", mark, ...view.underline(mark, start) });
  }
  return result;
}

/** Cuts a text into lines as the compiler counts them. */
export function linesOf(text: string): {
  readonly lines: readonly string[];
  readonly starts: readonly number[];
} {
  const lines: string[] = [];
  const starts: number[] = [];
  const ends = /\r\n|\r|\n|$/g;
  for (let at = text.charCodeAt(0) === 0xfeff ? 1 : 0; ; ) {
    ends.lastIndex = at;
    const end = ends.exec(text)!;
    starts.push(at);
    lines.push(text.slice(at, end.index));
    if (end[0] === "") return { lines, starts };
    at = end.index + end[0].length;
  }
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What is shown of a line. */
class LineView {
  readonly text: string;
  private readonly cells: readonly Cell[];
  private readonly lead: string;

  /** @param focus offset in the line that must be seen */
  constructor(line: string, focus: number, width: number) {
    // Of a line of megabytes only the surroundings are taken apart.
    const from = line.length > 4 * width ? Math.max(0, focus - 2 * width) : 0;
    const all = cellsOf(line.slice(from, from + 6 * width)).map((cell) => ({
      ...cell,
      offset: cell.offset + from,
    }));
    const cutEnd = from + 6 * width < line.length;
    const total = all.reduce((sum, cell) => sum + cell.width, 0);
    if (from === 0 && !cutEnd && total <= width) {
      this.cells = all;
      this.lead = "";
      this.text = all.map(({ text }) => text).join("");
      return;
    }
    // A third of the room before the place, the rest after it.
    const at = Math.max(
      0,
      all.findIndex((cell) => cell.offset >= focus),
    );
    let first = at;
    for (let room = Math.floor(width / 3); first > 0 && room > all[first - 1]!.width; first--) {
      room -= all[first - 1]!.width;
    }
    this.lead = first > 0 || from > 0 ? "…" : "";
    let last = first;
    for (let room = width - 2; last < all.length && room >= all[last]!.width; last++)
      room -= all[last]!.width;
    this.cells = all.slice(first, last);
    const tail = last < all.length || cutEnd ? "…" : "";
    this.text = `${this.lead}${this.cells.map(({ text }) => text).join("")}${tail}`;
  }

  /** Carets below a mark: one at least, and none beyond what is shown. */
  underline(mark: Mark, lineStart: number): { readonly indentation: number; readonly carets: string } {
    const start = mark.start - lineStart;
    const end = mark.end - lineStart;
    let indentation = this.lead.length;
    let length = 0;
    for (const cell of this.cells) {
      if (cell.offset < start) indentation += cell.width;
      else if (cell.offset < end) length += cell.width;
    }
    return { indentation, carets: (mark.primary ? "^" : "-").repeat(Math.max(1, length)) };
  }
}
