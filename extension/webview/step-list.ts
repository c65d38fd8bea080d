import type { RanStep } from "@configc/language-server";
import { element } from "./element.ts";
import { Windowed } from "./windowed.ts";

/** What a person does in the list. */
interface StepListActions {
  choose(index: number): void;
  /** Goes to the source. */
  reveal(index: number): void;
}

/** The steps of a run. They are chosen with the arrow keys or a click; Enter goes to the source. */
export class StepList {
  readonly element: HTMLElement;
  readonly #actions: StepListActions;
  readonly #windowed: Windowed;
  #steps: readonly RanStep[] = [];
  #running = false;
  #selected = 0;

  constructor(actions: StepListActions) {
    this.#actions = actions;
    this.#windowed = new Windowed(
      { id: "steps", role: "listbox", "aria-label": "Steps of the run", class: "steps" },
      (index) => this.#row(index),
    );
    this.element = this.#windowed.element;
    this.element.addEventListener("keydown", (event) => this.#press(event));
  }

  get selected(): number {
    return this.#selected;
  }

  /** @param running whether what hasn't ended goes on */
  draw(steps: readonly RanStep[], running: boolean): void {
    const atEnd = this.#windowed.isAtEnd;
    this.#steps = steps;
    this.#running = running;
    this.#selected = Math.min(this.#selected, Math.max(steps.length - 1, 0));
    this.#windowed.draw(steps.length);
    if (running && atEnd && steps.length > 0) this.#windowed.reveal(steps.length - 1);
  }

  select(index: number): void {
    this.#selected = Math.max(index, 0);
    this.element.setAttribute("aria-activedescendant", `step-${this.#selected}`);
    this.#windowed.reveal(this.#selected);
  }

  #row(index: number): HTMLElement {
    const step = this.#steps[index] as RanStep;
    const state = stateOf(step, this.#running);
    const row = element(
      "div",
      {
        id: `step-${index}`,
        role: "option",
        "aria-selected": `${index === this.#selected}`,
        "aria-setsize": `${this.#steps.length}`,
        "aria-posinset": `${index + 1}`,
        title: `${step.node}\nEnter or double click: go to the source`,
        class: `row ${state}`,
      },
      [
        element("span", { class: "mark", role: "img", "aria-label": state }, [marks[state]]),
        element("span", { class: "name" }, [step.key]),
        element("span", { class: "what" }, [what(step)]),
        element("span", { class: "time" }, [state === "running" ? "" : `${step.milliseconds} ms`]),
      ],
    );
    row.style.paddingInlineStart = `${8 + step.depth * 14}px`;
    row.addEventListener("click", () => this.#choose(index));
    row.addEventListener("dblclick", () => this.#actions.reveal(index));
    return row;
  }

  #choose(index: number): void {
    if (this.#steps[index] === undefined) return;
    this.#actions.choose(index);
    this.element.focus();
  }

  #press(event: KeyboardEvent): void {
    const at = this.#selected;
    const last = this.#steps.length - 1;
    const { page } = this.#windowed;
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: Math.min(at + page, last),
      PageUp: Math.max(at - page, 0),
      Home: 0,
      End: last,
    }[event.key];
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
