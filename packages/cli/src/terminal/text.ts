/** Text as a terminal shows it. */

const TAB = 4;

/** Characters that would do something to a terminal, or to the reading order, instead of being seen. */
const unseen =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/** Text from a document made harmless: what can't be seen is named. */
export function visible(text: string): string {
  return text.replace(unseen, nameOf);
}

function nameOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** One character as a person sees it. */
export interface Cell {
  /** Offset in the line, in UTF-16 units. */
  readonly offset: number;
  /** What is printed: blanks for a tab, a name for what can't be seen. */
  readonly text: string;
  /** Columns that it takes. */
  readonly width: number;
}

let segmenter: Intl.Segmenter | undefined;

/** Takes a line apart into what a terminal shows, in columns. */
export function cellsOf(line: string): Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  for (const { offset, segment } of charactersOf(line)) {
    const text = segment === "\t" ? " ".repeat(TAB - (column % TAB)) : visible(segment);
    const width = segment === "\t" || text !== segment ? text.length : widthOf(segment);
    cells.push({ offset, text, width });
    column += width;
  }
  return cells;
}

function* charactersOf(line: string): Generator<{ offset: number; segment: string }> {
  if (/^[\u0000-\u007f]*$/.test(line)) {
    for (let offset = 0; offset < line.length; offset++) yield { offset, segment: line[offset]! };
    return;
  }
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { index, segment } of segmenter.segment(line)) yield { offset: index, segment };
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u;
const narrowKana = /^[\uff61-\uffdc]/;

/** Columns of one grapheme: two for East Asian wide characters and emoji. */
function widthOf(grapheme: string): number {
  return wide.test(grapheme) && !narrowKana.test(grapheme) ? 2 : 1;
}
