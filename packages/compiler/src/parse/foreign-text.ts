import type { SyntaxProblem } from "./syntax-problem.ts";

/** Blanks that aren't JSON's and characters without width: they come with text from pages and chats. */
const BLANKS = /[\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]+/y;
/** A line that git writes around the sides of a conflict. */
const MARKER = /(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|$)[^\n]*/y;

/**
 * What stands between tokens and is neither JSON nor a mistake in what is meant: blanks of other kinds, and markers of merge
 * conflicts with the second side of each. It is passed over, so that all else is read.
 */
export class ForeignText {
  readonly problems: SyntaxProblem[] = [];
  private inConflict = false;
  /** Whether a marker at the end of a conflict may still come: it is looked for once. */
  private mayEnd = true;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Where the text after it begins; undefined if there is nothing foreign at that offset. */
  pass(start: number): number | undefined {
    const { text } = this;
    BLANKS.lastIndex = start;
    if (BLANKS.test(text)) {
      const end = BLANKS.lastIndex;
      this.problems.push({ kind: "foreign-blank", span: { start, end }, text: text.slice(start, end) });
      return end;
    }
    if (start > 0 && text[start - 1] !== "\n") return undefined;
    MARKER.lastIndex = start;
    return MARKER.test(text) ? this.marker(start, MARKER.lastIndex) : undefined;
  }

  private marker(start: number, end: number): number {
    const { text, inConflict } = this;
    const mark = text[start];
    this.inConflict = mark !== ">" && (inConflict || mark === "<");
    if (inConflict && mark === ">") return end;
    const last = this.inConflict ? this.endOfConflict(end) : undefined;
    if (inConflict && last !== undefined && mark !== "<") return last;
    const other = last === undefined ? {} : { other: { start: last, end: last + 7 } };
    this.problems.push({
      kind: "merge-conflict",
      span: { start, end: start + 7 },
      text: text.slice(start, start + 7),
      ...other,
    });
    return end;
  }

  /** Where the marker at the end of the conflict stands. */
  private endOfConflict(from: number): number | undefined {
    const at = this.mayEnd ? this.text.indexOf("\n>>>>>>>", from - 1) : -1;
    this.mayEnd = at >= 0;
    return at < 0 ? undefined : at + 1;
  }
}
