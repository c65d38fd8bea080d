import type { RanStep } from "@configc/language-server";
import { element } from "./element.ts";

/** What a person does in the list. */
export interface StepListActions {
  choose(index: number): void;
  /** Goes to the source. */
  reveal(index: number): void;
}

/** The steps of a run. They are chosen with the arrow keys or a click; Enter goes to the source. */
export class StepList {
  readonly element: HTMLElement;
  readonly #actions: StepListActions;
  #items: readonly HTMLElement[] = [];
  #selected = 0;

  constructor(actions: StepListActions) {
    this.#actions = actions;
    this.element = element("ol", { role: "listbox", "aria-label": "Steps of the run" }, []);
    this.element.addEventListener("keydown", (event) => this.#press(event));
  }

  get selected(): number {
    return this.#selected;
  }

  /** @param running whether what hasn't ended goes on */
  draw(steps: readonly RanStep[], running: boolean): void {
    const focused = this.#items.some((item) => item === document.activeElement);
    const atEnd = this.element.scrollTop + this.element.clientHeight >= this.element.scrollHeight - 4;
    this.#items = steps.map((step, index) => this.#item(step, index, running));
    this.element.replaceChildren(...this.#items);
    this.select(Math.min(this.#selected, Math.max(steps.length - 1, 0)));
    if (focused) this.#items[this.#selected]?.focus();
    if (running && atEnd) this.element.scrollTop = this.element.scrollHeight;
  }

  select(index: number): void {
    this.#selected = Math.max(index, 0);
    for (const [at, item] of this.#items.entries()) {
      item.setAttribute("aria-selected", `${at === this.#selected}`);
      item.tabIndex = at === this.#selected ? 0 : -1;
    }
  }

  #item(step: RanStep, index: number, running: boolean): HTMLElement {
    const state = stateOf(step, running);
    const item = element(
      "li",
      {
        id: `step-${index}`,
        role: "option",
        title: `${step.node}\nEnter or double click: go to the source`,
        class: state,
      },
      [
        element("span", { class: "mark", role: "img", "aria-label": state }, [marks[state]]),
        element("span", { class: "name" }, [step.key]),
        element("span", { class: "what" }, [what(step)]),
        element("span", { class: "time" }, [state === "running" ? "" : `${step.milliseconds} ms`]),
      ],
    );
    item.style.paddingInlineStart = `${8 + step.depth * 14}px`;
    item.addEventListener("click", () => this.#choose(index));
    item.addEventListener("dblclick", () => this.#actions.reveal(index));
    return item;
  }

  #choose(index: number): void {
    if (this.#items[index] === undefined) return;
    this.#actions.choose(index);
    this.#items[index]?.focus();
  }

  #press(event: KeyboardEvent): void {
    const at = this.#selected;
    const last = this.#items.length - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
    if (event.key === "Enter") this.#actions.reveal(at);
    else if (to === undefined) return;
    else this.#choose(to);
    event.preventDefault();
  }
}

const marks = { passed: "✓", failed: "✗", running: "", cancelled: "–" } as const;

function stateOf(step: RanStep, running: boolean): keyof typeof marks {
  if (step.error !== undefined) return "failed";
  if ("output" in step) return "passed";
  return running ? "running" : "cancelled";
}

function what({ exchanges, error, notes }: RanStep): string {
  if (error !== undefined) return String((error as { readonly kind?: unknown }).kind ?? "failed");
  const [last] = exchanges.slice(-1);
  if (last === undefined) return notes.at(-1) ?? "";
  const times = exchanges.length > 1 ? ` ×${exchanges.length}` : "";
  return `${last.method} ${last.response?.status ?? last.failure ?? "…"}${times}`;
}
