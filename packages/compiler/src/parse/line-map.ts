import type { Change } from "./change.ts";

/** A place for people: both count from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** UTF-16 units from the start of the text, a byte order mark included. */
  readonly offset: number;
}

/** Finds lines and columns of offsets. A byte order mark counts in offsets, not in columns. */
export class LineMap {
  private readonly starts: Int32Array;
  private readonly length: number;

  /** @param edited the lines of the text before, and what changed: only lines there are looked for anew */
  constructor(text: string, edited?: { readonly lines: LineMap; readonly change: Change }) {
    this.length = text.length;
    const first = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    if (edited === undefined || edited.change.from <= 1) {
      this.starts = new Int32Array([first, ...startsIn(text, 0, this.length)]);
      return;
    }
    const { lines, change } = edited;
    const { from, oldTo, newTo } = change;
    // Whether a line starts at an offset is told by the characters on both sides of it.
    const before = lines.starts.subarray(0, lines.startsUpTo(from - 1));
    const between = startsIn(text, from - 1, newTo);
    const behind = lines.starts.subarray(lines.startsUpTo(oldTo));
    const starts = new Int32Array(before.length + between.length + behind.length);
    starts.set(before);
    starts.set(between, before.length);
    const moved = before.length + between.length;
    for (let index = 0; index < behind.length; index++)
      starts[moved + index] = behind[index]! - oldTo + newTo;
    this.starts = starts;
  }

  /** How many lines start before an offset, or at it. */
  private startsUpTo(offset: number): number {
    let [low, high] = [0, this.starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get lineCount(): number {
    return this.starts.length;
  }

  /** @param offset anything; it is clamped into the text */
  position(offset: number): Position {
    const at = Math.max(0, Math.min(offset, this.length));
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: Math.max(0, at - this.starts[low]!) + 1, offset: at };
  }

  /** Offset of the first character of a line (from 1); the end of the text for a line that isn't there. */
  lineStart(line: number): number {
    return this.starts[line - 1] ?? this.length;
  }
}

/** The starts of the lines behind the line breaks that stand in a range. */
function startsIn(text: string, from: number, to: number): number[] {
  const starts: number[] = [];
  // With one character more: a carriage return before a line feed is half of a break.
  const part = text.slice(from, to + 1);
  const within = (at: number): boolean => at >= 0 && at < to - from;
  // The engine finds a character many times faster than a loop here does.
  let carriage = part.indexOf("\r");
  for (let feed = part.indexOf("\n"); within(feed) || within(carriage); ) {
    if (feed >= 0 && (carriage < 0 || feed < carriage)) {
      starts.push(from + feed + 1);
      feed = part.indexOf("\n", feed + 1);
      continue;
    }
    if (feed !== carriage + 1) starts.push(from + carriage + 1);
    carriage = part.indexOf("\r", carriage + 1);
  }
  return starts;
}
