import type { Exchange, RanStep } from "@configc/language-server";
import { element } from "./element.ts";
import { jsonTree } from "./json-tree.ts";

type Tab = "Output" | "Input" | "Requests" | "Raw";
const tabs: readonly Tab[] = ["Output", "Input", "Requests", "Raw"];

/** What one step took, asked and gave. The tab that a person chose stays chosen from step to step. */
export class StepDetail {
  readonly element: HTMLElement;
  readonly #bar: HTMLElement;
  readonly #panel: HTMLElement;
  #tab: Tab = "Output";
  #step: RanStep | undefined;
  #running = false;

  constructor() {
    this.#bar = element("div", { role: "tablist", "aria-label": "Of this step" }, []);
    this.#panel = element("div", { id: "detail", role: "tabpanel", tabindex: "0" }, []);
    this.element = element("section", { class: "detail" }, [this.#bar, this.#panel]);
    this.#bar.addEventListener("keydown", ({ key }) => {
      const move = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0;
      const next = tabs[(tabs.indexOf(this.#tab) + move + tabs.length) % tabs.length];
      if (move !== 0 && next !== undefined) this.#choose(next);
    });
  }

  /** @param running whether a step that hasn't ended goes on */
  draw(step: RanStep | undefined, running: boolean): void {
    this.#step = step;
    this.#running = running;
    this.#bar.replaceChildren(...tabs.map((name) => this.#button(name)));
    this.#panel.setAttribute("aria-labelledby", `tab-${this.#tab}`);
    this.#panel.replaceChildren(...this.#content());
  }

  #choose(name: Tab): void {
    this.#tab = name;
    this.draw(this.#step, this.#running);
    document.getElementById(`tab-${name}`)?.focus();
  }

  #button(name: Tab): HTMLElement {
    const isChosen = name === this.#tab;
    const count = this.#step?.exchanges.length ?? 0;
    const button = element(
      "button",
      {
        id: `tab-${name}`,
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
    const step = this.#step;
    if (step === undefined) return [quiet(this.#running ? "Waiting for the first step …" : "Nothing ran.")];
    switch (this.#tab) {
      case "Input":
        return [jsonTree(step.input)];
      case "Requests":
        return step.exchanges.length === 0
          ? [quiet("This step sent no request.")]
          : step.exchanges.map((exchange) => exchangeOf(exchange, this.#running));
      case "Raw":
        return [element("pre", {}, [JSON.stringify(step, undefined, 2)])];
      case "Output":
        return [...step.notes.map(quiet), ...this.#output(step)];
    }
  }

  #output(step: RanStep): HTMLElement[] {
    if (step.error !== undefined) return [jsonTree(step.error)];
    if ("output" in step) return [jsonTree(step.output)];
    return [quiet(this.#running ? "Running …" : "It was cancelled before it ended.")];
  }
}

function quiet(text: string): HTMLElement {
  return element("p", { class: "note" }, [text]);
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
  const details = element("details", { class: "part" }, [element("summary", {}, [title]), jsonTree(value)]);
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
