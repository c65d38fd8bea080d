import { ScanError, Scanner } from "../scanner.ts";
import type { RepairedLine, RepairedToken } from "./repaired-line.ts";

/** A scanner that gives the tokens of repaired lines in place of what is written. */
export class ReplayingScanner extends Scanner {
  private queue: readonly RepairedToken[] = [];
  private next = 0;
  private resumeAt = 0;

  /** From now on gives the tokens of that line, then what comes after it. */
  replay({ tokens, end }: RepairedLine): void {
    this.queue = tokens;
    this.next = 0;
    this.resumeAt = end;
  }

  override scan(): number {
    const token = this.queue[this.next];
    if (token === undefined) {
      this.quotes = 2;
      if (this.resumeAt > this.end) this.end = this.resumeAt;
      return super.scan();
    }
    this.next++;
    this.offset = token.offset;
    this.end = token.end;
    this.value = token.value;
    this.quotes = token.quotes;
    this.error = ScanError.None;
    return token.token;
  }
}
