/** A line of the document, as far as its layout counts. */
export interface Line {
  readonly start: number;
  /** Of its first token. */
  readonly first: number;
  /** How far that token is indented, in characters. */
  readonly indentation: number;
}

/** The line on which a container was opened. */
export interface OpenLine {
  readonly line: Line;
  /** Whether a later line has begun in it. */
  entered: boolean;
  /** Whether what is in it isn't indented, so that its layout tells nothing. */
  flat: boolean;
}

/**
 * What the layout of a document tells of its brackets. People indent what is inside; a bracket that is missing or too many
 * shows in the lines around it.
 */
export class Layout {
  private readonly text: string;
  private line: Line;
  private end: number;

  /** @param indentation of the first line, as far as it stands before the text */
  constructor(text: string, indentation: number) {
    this.text = text;
    const first = this.lineFrom(text.charCodeAt(0) === 0xfeff ? 1 : 0);
    this.line = { ...first, indentation: first.indentation + indentation };
    this.end = this.endFrom(0);
  }

  /** The line of an offset. Offsets are asked for in ascending order, so that a long line is walked once. */
  at(offset: number): Line {
    if (offset > this.end) {
      const start = this.text.lastIndexOf("\n", offset - 1) + 1;
      this.line = this.lineFrom(start);
      this.end = this.endFrom(offset);
    }
    return this.line;
  }

  /**
   * The next line with anything on it, looking past commas and closing brackets that still stand on this one.
   * Undefined if anything else does, or nothing more comes.
   */
  next(offset: number): Line | undefined {
    const { text } = this;
    let start = -1;
    for (let at = offset; at < text.length; at++) {
      const character = text[at]!;
      if (character === "\n") start = at + 1;
      else if (character === " " || character === "\t" || character === "\r") continue;
      else if (start >= 0) return { start, first: at, indentation: at - start };
      else if (character !== "," && character !== "]" && character !== "}") return undefined;
    }
    return undefined;
  }

  private lineFrom(start: number): Line {
    let first = start;
    while (this.text[first] === " " || this.text[first] === "\t") first++;
    return { start, first, indentation: first - start };
  }

  private endFrom(offset: number): number {
    const end = this.text.indexOf("\n", offset);
    return end < 0 ? this.text.length : end;
  }
}

/**
 * The end of the first token behind the line of an offset. After a broken line it shows the lost comma or bracket, and is part of
 * the same mistake.
 */
export function behindLine(text: string, offset: number): number {
  const next = text.indexOf("\n", offset);
  if (next < 0) return text.length;
  const match = /\s*/y;
  match.lastIndex = next;
  match.test(text);
  return match.lastIndex + 1;
}
