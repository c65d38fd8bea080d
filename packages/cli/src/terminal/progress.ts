import { noteFleetingly } from "./output.ts";

/** A line on stderr that says how far a long work is; only on a terminal, and gone at the end. */
export class Progress {
  private readonly started = Date.now();
  private readonly total: number;
  private shownAt = 0;
  private done = 0;

  constructor(total: number) {
    this.total = total;
  }

  step(count = 1): void {
    this.done += count;
    if (process.stderr.isTTY !== true) return;
    const now = Date.now();
    // Short work needs none.
    if (now - this.started < 400 || now - this.shownAt < 80) return;
    this.shownAt = now;
    noteFleetingly(`Checking ${this.done} of ${this.total} …`);
  }

  end(): void {
    if (this.shownAt > 0) noteFleetingly("");
  }
}
