import fs from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";

const CHUNK = 65_536;
/** Milliseconds between two looks at an input that has nothing yet. */
const PAUSE = 5;

interface Chunk {
  /** Which of the files it is of. */
  readonly file: number;
  readonly start: number;
  readonly text: string;
  /** Whether it stands between that file and the next. */
  readonly isSeparator: boolean;
}

/**
 * The texts of all inputs, one behind the other, read chunk by chunk when they are needed. It knows where in which file its
 * reader is, and forgets the chunks behind that.
 */
export class InputSource {
  private readonly files: readonly (string | undefined)[];
  private readonly separator: string;
  private readonly beforeReading: () => void;
  private readonly buffer = Buffer.allocUnsafe(CHUNK);
  private opened: { readonly descriptor: number; readonly decoder: StringDecoder } | undefined;
  private file = -1;
  private length = 0;
  private reached: number | undefined;
  /** Those whose lines aren't all counted. */
  private readonly chunks: Chunk[] = [];
  private lines = 0;
  private counted = 0;

  /**
   * @param files names; undefined and `-` are standard input
   * @param separator what stands between two files
   * @param beforeReading is called before each wait for more
   */
  constructor(files: readonly (string | undefined)[], separator: string, beforeReading: () => void) {
    this.files = files;
    this.separator = separator;
    this.beforeReading = beforeReading;
  }

  /**
   * The next chunk; undefined at the end.
   *
   * @throws UsageError for a file that can't be read
   */
  next(): string | undefined {
    while (this.opened !== undefined || this.file < this.files.length - 1) {
      try {
        const isFirst = this.file === -1;
        if (this.opened === undefined) {
          this.open();
          if (!isFirst && this.separator !== "") return this.give(this.separator, this.file - 1);
        }
        const text = this.readOn();
        if (text !== "") return this.give(text, this.file);
      } catch (error) {
        throw new UsageError(
          `${this.name(this.file) ?? "Standard input"} can't be read: ${reasonOf(error)}.`,
        );
      }
    }
    return undefined;
  }

  /** All that hasn't been read yet. */
  rest(): string {
    const parts: string[] = [];
    for (let part = this.next(); part !== undefined; part = this.next()) parts.push(part);
    return parts.join("");
  }

  /** The text was read up to there. */
  reach(offset: number): void {
    this.reached = offset;
    if (this.chunks.length > 2) this.countLines(offset);
  }

  /** All that was given was read. */
  reachEnd(): void {
    this.reach(this.length);
  }

  /**
   * The file that was read last, and how many of its lines were; as in jq, a line is read as a whole. Undefined
   * before anything was read.
   */
  place(): { readonly name: string | undefined; readonly line: number } | undefined {
    if (this.reached === undefined || this.files.length === 0) return undefined;
    this.countLines(this.reached);
    return { name: this.name(this.chunks[0]?.file ?? Math.max(this.file, 0)), line: this.lines };
  }

  private name(file: number): string | undefined {
    const name = this.files[file];
    return name === "-" ? undefined : name;
  }

  private give(text: string, file: number): string {
    this.chunks.push({ file, start: this.length, text, isSeparator: file !== this.file });
    this.length += text.length;
    return text;
  }

  private open(): void {
    this.file++;
    const name = this.name(this.file);
    const descriptor = name === undefined ? process.stdin.fd : fs.openSync(name, "r");
    this.opened = { descriptor, decoder: new StringDecoder("utf8") };
  }

  private readOn(): string {
    const { descriptor, decoder } = this.opened!;
    const size = this.read(descriptor);
    if (size > 0) return decoder.write(this.buffer.subarray(0, size));
    this.opened = undefined;
    if (descriptor !== process.stdin.fd) fs.closeSync(descriptor);
    return decoder.end();
  }

  /** Standard input may be one that doesn't wait, as in some shells. */
  private read(descriptor: number): number {
    this.beforeReading();
    for (;;) {
      try {
        return fs.readSync(descriptor, this.buffer, 0, CHUNK, null);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EOF") return 0;
        if (code !== "EAGAIN") throw error;
        Atomics.wait(pause, 0, 0, PAUSE);
      }
    }
  }

  /** Counts on to the end of the line that an offset is in. */
  private countLines(offset: number): void {
    for (;;) {
      const [chunk, next] = this.chunks;
      if (chunk === undefined) return;
      while (!chunk.isSeparator) {
        if (this.counted > offset) return;
        const end = chunk.text.indexOf("\n", Math.max(this.counted - chunk.start, 0));
        if (end === -1) break;
        this.lines++;
        this.counted = chunk.start + end + 1;
        if (this.counted > offset) return;
      }
      if (next === undefined) return;
      if (next.file === chunk.file && !next.isSeparator) {
        this.chunks.shift();
        continue;
      }
      // The next file begins with what is read of it.
      const isBetween = next.isSeparator;
      if (offset <= next.start + (isBetween ? next.text.length : 0)) return;
      this.chunks.splice(0, isBetween ? 2 : 1);
      this.lines = 0;
    }
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));
