import { Ticker } from "./ticker.ts";

/** Says how far a long work is. */
export class Progress {
  private readonly ticker = new Ticker();
  private readonly total: number;
  private done = 0;

  constructor(total: number) {
    this.total = total;
  }

  step(count = 1): void {
    this.done += count;
    this.ticker.tell(`Checking ${this.done} of ${this.total} …`);
  }

  end(): void {
    this.ticker.end();
  }
}
