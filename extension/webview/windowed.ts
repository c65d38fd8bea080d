import { element } from "./element.ts";

/** Pixels that a browser can lay out: a longer list scrolls by shares instead. */
const TALLEST = 16_000_000;
/** Rows that are made beyond the edge. */
const BEYOND = 6;
/** Of the font's size. */
const LINE = 1.6;

/** Rows of one height, of which only those in sight are made: a million of them cost what fifty do. */
export class Windowed {
  /** Scrolls, and has the focus; `aria-activedescendant` says which row is meant. */
  readonly element: HTMLElement;
  readonly #content: HTMLElement;
  readonly #row: (index: number) => HTMLElement;
  #count = 0;
  #height = 22;
  #isWaiting = false;

  /**
   * @param attributes of the element: its role and name
   * @param row makes one; it is made anew whenever it comes into sight
   */
  constructor(attributes: Readonly<Record<string, string>>, row: (index: number) => HTMLElement) {
    this.#row = row;
    this.#content = element("div", { class: "rows", role: "presentation" }, []);
    this.element = element("div", { ...attributes, tabindex: "0" }, [this.#content]);
    this.element.classList.add("windowed");
    this.element.addEventListener("scroll", () => this.#drawSoon());
    new ResizeObserver(() => this.#drawSoon()).observe(this.element);
  }

  /** Rows that fit into sight. */
  get page(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / this.#height) - 1);
  }

  get isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    return scrollTop + clientHeight >= scrollHeight - 4;
  }

  /** Shows that many rows, from where it was scrolled to. */
  draw(count: number): void {
    this.#count = count;
    const size = Number.parseFloat(getComputedStyle(this.element).fontSize);
    if (size > 0) this.#height = Math.round(size * LINE);
    this.#content.style.height = `${this.#laidOut}px`;
    this.#drawNow();
  }

  /** Scrolls as little as possible. */
  reveal(index: number): void {
    const top = index * this.#height;
    const from = this.#from;
    const { clientHeight } = this.element;
    if (top < from) this.#scroll(top);
    else if (top + this.#height > from + clientHeight) this.#scroll(top + this.#height - clientHeight);
    this.#drawNow();
  }

  get #total(): number {
    return this.#count * this.#height;
  }

  get #laidOut(): number {
    return Math.min(this.#total, TALLEST);
  }

  /** Pixels that would be laid out above what is in sight. */
  get #from(): number {
    const { scrollTop, clientHeight } = this.element;
    const room = this.#laidOut - clientHeight;
    return room <= 0 || this.#laidOut === this.#total
      ? scrollTop
      : (scrollTop / room) * (this.#total - clientHeight);
  }

  #scroll(to: number): void {
    const { clientHeight } = this.element;
    const share =
      this.#laidOut === this.#total ? 1 : (this.#laidOut - clientHeight) / (this.#total - clientHeight);
    this.element.scrollTop = to * share;
  }

  #drawSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      this.#drawNow();
    });
  }

  #drawNow(): void {
    const from = this.#from;
    const first = Math.max(0, Math.floor(from / this.#height) - BEYOND);
    const last = Math.min(this.#count, Math.ceil((from + this.element.clientHeight) / this.#height) + BEYOND);
    // In a list that scrolls by shares, rows are placed by what is in sight.
    const shift = this.element.scrollTop - from;
    const rows: HTMLElement[] = [];
    for (let index = first; index < last; index++) {
      const row = this.#row(index);
      row.style.top = `${index * this.#height + shift}px`;
      row.style.height = `${this.#height}px`;
      row.style.lineHeight = `${this.#height}px`;
      rows.push(row);
    }
    this.#content.replaceChildren(...rows);
  }
}
