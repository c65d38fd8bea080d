/** A file that is read, or standard input. */
export interface InputFile {
  /** Undefined for standard input. */
  readonly name: string | undefined;
  readonly text: string;
}

/** The texts of all inputs as one, which knows where in which file its reader is. */
export class InputText {
  readonly text: string;
  private readonly files: readonly InputFile[];
  private readonly separator: string;
  private reached: number | undefined;
  /** The file that was read last, where it starts, and its lines up to `counted`. */
  private file = 0;
  private start = 0;
  private lines = 0;
  private counted = 0;

  /** @param separator what stands between two files */
  constructor(files: readonly InputFile[], separator: string) {
    this.files = files;
    this.separator = separator;
    this.text = files.map(({ text }) => text).join(separator);
  }

  /** The text was read up to there. */
  reach(offset: number): void {
    this.reached = offset;
  }

  /**
   * The file that was read last, and how many of its lines were; as in jq, a line is read as a whole. Undefined
   * before anything was read.
   */
  place(): { readonly name: string | undefined; readonly line: number } | undefined {
    if (this.reached === undefined || this.files.length === 0) return undefined;
    while (this.file < this.files.length - 1 && this.reached > this.end() + this.separator.length) {
      this.start = this.end() + this.separator.length;
      this.file++;
      this.lines = 0;
      this.counted = this.start;
    }
    this.countLines(this.reached);
    return { name: this.files[this.file]!.name, line: this.lines };
  }

  /** Where the file that is read ends. */
  private end(): number {
    return this.start + this.files[this.file]!.text.length;
  }

  /** Counts on to the end of the line that an offset is in. */
  private countLines(offset: number): void {
    const end = this.end();
    while (this.counted <= offset) {
      const next = this.text.indexOf("\n", this.counted);
      if (next === -1 || next >= end) return;
      this.lines++;
      this.counted = next + 1;
      if (next >= offset) return;
    }
  }
}
