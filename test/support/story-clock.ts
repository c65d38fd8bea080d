import type { Clock } from "@configc/runtime";

/** A clock that stands unless it is moved; who waits moves it. Both sides go by it, so a story takes the same time each time. */
export class StoryClock implements Clock {
  #now = Date.parse("2025-03-04T10:00:00Z");

  readonly now = (): number => this.#now;

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
  }
}
