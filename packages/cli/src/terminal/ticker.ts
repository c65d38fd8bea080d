import { noteFleetingly } from "./output.ts";

/** A line on stderr that says what is being done; only on a terminal, and gone at the end. */
export class Ticker {
  private readonly started = Date.now();
  private shownAt = 0;

  tell(text: string): void {
    if (process.stderr.isTTY !== true) return;
    const now = Date.now();
    // Short work needs none.
    if (now - this.started < 400 || now - this.shownAt < 80) return;
    this.shownAt = now;
    noteFleetingly(text);
  }

  end(): void {
    if (this.shownAt > 0) noteFleetingly("");
    this.shownAt = 0;
  }
}
