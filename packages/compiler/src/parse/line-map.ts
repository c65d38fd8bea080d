/** A place for people: both count from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** UTF-16 units from the start of the text, a byte order mark included. */
  readonly offset: number;
}

/** Finds lines and columns of offsets. A byte order mark counts in offsets, not in columns. */
export class LineMap {
  private readonly starts: number[] = [0];
  private readonly length: number;

  constructor(text: string) {
    this.length = text.length;
    if (text.charCodeAt(0) === 0xfeff) this.starts[0] = 1;
    // The engine finds a character many times faster than a loop here does.
    let carriage = text.indexOf("\r");
    for (let feed = text.indexOf("\n"); feed >= 0 || carriage >= 0; ) {
      if (feed >= 0 && (carriage < 0 || feed < carriage)) {
        this.starts.push(feed + 1);
        feed = text.indexOf("\n", feed + 1);
        continue;
      }
      if (feed !== carriage + 1) this.starts.push(carriage + 1);
      carriage = text.indexOf("\r", carriage + 1);
    }
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
