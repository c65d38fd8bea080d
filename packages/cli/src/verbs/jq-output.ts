import { printAndWait } from "../terminal/output.ts";

/** Characters that are gathered before they are written. */
const ENOUGH = 65_536;

/** Outputs on their way to standard output: written together, since each write takes as long as many small programs. */
export class Output {
  private readonly isEager: boolean;
  private waiting = "";
  private isRead = true;

  /** @param isEager whether each is written at once */
  constructor(isEager: boolean) {
    this.isEager = isEager;
  }

  /** @returns whether anyone still reads them */
  readonly write = (piece: string): boolean => {
    this.waiting += piece;
    return this.isEager || this.waiting.length >= ENOUGH ? this.flush() : this.isRead;
  };

  /** Before something is waited for, and at the end. */
  readonly flush = (): boolean => {
    const text = this.waiting;
    this.waiting = "";
    if (text !== "") this.isRead = printAndWait(text);
    return this.isRead;
  };
}
