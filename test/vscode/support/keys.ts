import type { Locator, Page } from "playwright-core";

/** Keys and clicks as a person makes them, counted: a key with others held down is one, a character typed is one, a click is one. */
export class Keys {
  #count = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** How many there were. */
  get count(): number {
    return this.#count;
  }

  async press(key: string): Promise<void> {
    this.#count += 1;
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.#count += [...text].length;
    await this.#page.keyboard.type(text);
  }

  async click(target: Locator): Promise<void> {
    this.#count += 1;
    await target.click();
  }

  /** What was done by other means, as a click on a lens that moves. */
  also(count: number): void {
    this.#count += count;
  }
}
