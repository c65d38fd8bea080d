import type { Exchange, RanStep } from "@configc/language-server";
import { element } from "./element.ts";
import { jsonTree } from "./json-tree.ts";

type Tab = "Output" | "Input" | "Requests" | "Raw";
const tabs: readonly Tab[] = ["Output", "Input", "Requests", "Raw"];

/** Characters of the raw output that are shown; all of it can be copied. */
const LONGEST_RAW = 500_000;

/** A step, and what it sent itself or by the steps in it. */
export interface ShownStep {
  readonly step: RanStep;
  readonly exchanges: readonly Exchange[];
}

/** What one step took, asked and gave. The tab that a person chose stays chosen from step to step. */
export class StepDetail {
  readonly element: HTMLElement;
  readonly #bar: HTMLElement;
  readonly #copy: HTMLElement;
  readonly #panel: HTMLElement;
  #tab: Tab = "Output";
  #shown: ShownStep | undefined;
  #running = false;

  /** @param copy puts a text into the clipboard */
  constructor(copy: (text: string) => void) {
    this.#bar = element("div", { role: "tablist", "aria-label": "Of this step" }, []);
    this.#copy = element("button", { type: "button", class: "link", title: "Copy as JSON" }, ["Copy"]);
    this.#panel = element("div", { id: "detail", role: "tabpanel", tabindex: "0" }, []);
    const bar = element("div", { class: "tabs" }, [this.#bar, this.#copy]);
    this.element = element("section", { class: "detail", "aria-label": "The chosen step" }, [
      bar,
      this.#panel,
    ]);
    this.#copy.addEventListener("click", () => copy(this.#text()));
    this.#bar.addEventListener("keydown", (event) => {
      const at = tabs.indexOf(this.#tab);
      const last = tabs.length - 1;
      const to = {
        ArrowRight: at === last ? 0 : at + 1,
        ArrowLeft: at === 0 ? last : at - 1,
        Home: 0,
        End: last,
      }[event.key];
      const next = to === undefined ? undefined : tabs[to];
      if (next === undefined) return;
      this.#choose(next);
      event.preventDefault();
    });
  }

  /** @param running whether a step that hasn't ended goes on */
  draw(shown: ShownStep | undefined, running: boolean): void {
    this.#shown = shown;
    this.#running = running;
    this.#bar.replaceChildren(...tabs.map((name) => this.#button(name)));
    this.#copy.hidden = shown === undefined;
    this.#panel.setAttribute("aria-labelledby", `tab-${this.#tab}`);
    this.#panel.replaceChildren(...this.#content());
  }

  #choose(name: Tab): void {
    this.#tab = name;
    this.draw(this.#shown, this.#running);
    document.getElementById(`tab-${name}`)?.focus();
  }

  #button(name: Tab): HTMLElement {
    const isChosen = name === this.#tab;
    const count = this.#shown?.exchanges.length ?? 0;
    const button = element(
      "button",
      {
        id: `tab-${name}`,
        type: "button",
        role: "tab",
        "aria-selected": `${isChosen}`,
        "aria-controls": "detail",
        tabindex: isChosen ? "0" : "-1",
      },
      [name === "Requests" ? `${name} (${count})` : name],
    );
    button.addEventListener("click", () => this.#choose(name));
    return button;
  }

  #content(): HTMLElement[] {
    if (this.#shown === undefined)
      return [quiet(this.#running ? "Waiting for the first step …" : "Nothing ran.")];
    const { step, exchanges } = this.#shown;
    switch (this.#tab) {
      case "Input":
        return [jsonTree(step.input, "Input")];
      case "Requests":
        return exchanges.length === 0
          ? [quiet("This step sent no request.")]
          : exchanges.map((exchange) => exchangeOf(exchange, this.#running));
      case "Raw":
        return [rawOf(this.#text())];
      case "Output":
        return [...step.notes.map(quiet), ...this.#output(step)];
    }
  }

  #output(step: RanStep): HTMLElement[] {
    if (step.error !== undefined) return [jsonTree(step.error, "Error")];
    if ("output" in step) return [jsonTree(step.output, "Output")];
    return [quiet(this.#running ? "Running …" : "It was cancelled before it ended.")];
  }

  /** What is on show, as JSON. */
  #text(): string {
    if (this.#shown === undefined) return "";
    const { step, exchanges } = this.#shown;
    const value =
      this.#tab === "Input" ? step.input : this.#tab === "Requests" ? exchanges : (step.error ?? step.output);
    return JSON.stringify(value, undefined, 2) ?? "";
  }
}

function quiet(text: string): HTMLElement {
  return element("p", { class: "note" }, [text]);
}

function rawOf(text: string): HTMLElement {
  const rest = text.length - LONGEST_RAW;
  if (rest <= 0) return element("pre", {}, [text]);
  return element("pre", {}, [
    `${text.slice(0, LONGEST_RAW)}…\n`,
    element("span", { class: "note" }, [`${rest.toLocaleString()} more characters; “Copy” takes all.`]),
  ]);
}

function exchangeOf(
  { method, url, headers, body, response, failure, milliseconds }: Exchange,
  running: boolean,
): HTMLElement {
  const came = failure ?? response?.status.toString();
  const state = came === undefined ? "open" : (response?.status ?? 600) < 400 ? "passed" : "failed";
  return element("article", { class: "exchange" }, [
    element("h3", {}, [
      element("span", { class: "method" }, [method]),
      ` ${url} `,
      element("span", { class: `status ${state}` }, [came ?? (running ? "waiting …" : "no answer")]),
      element("small", {}, [came === undefined ? "" : ` ${milliseconds} ms`]),
    ]),
    part("Request headers", headers),
    ...(body === undefined ? [] : [part("Request body", parsed(body), true)]),
    ...(response === undefined
      ? []
      : [
          part("Response headers", response.headers),
          ...(response.body === undefined ? [] : [part("Response body", parsed(response.body), true)]),
        ]),
  ]);
}

function part(title: string, value: unknown, open = false): HTMLElement {
  const details = element("details", { class: "part" }, [
    element("summary", {}, [title]),
    jsonTree(value, title),
  ]);
  if (open) details.setAttribute("open", "");
  return details;
}

function parsed(body: unknown): unknown {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
