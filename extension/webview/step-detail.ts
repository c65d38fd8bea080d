import type { RanStep, RunFindResult, RunPart } from "@configc/language-server";
import type { ExchangePlace, Question } from "../src/messages.ts";
import { element } from "./element.ts";
import { below, exchangeNodes, type PlacedExchange } from "./exchange-nodes.ts";
import { type FetchPart, TreeNode } from "./tree-node.ts";
import { counted, ValueTree } from "./value-tree.ts";

type Tab = "Output" | "Input" | "Requests" | "Raw";
const tabs: readonly Tab[] = ["Output", "Input", "Requests", "Raw"];

/** Characters of the raw output that are shown; all of it can be copied. */
const LONGEST_RAW = 500_000;
/** Milliseconds without a key before a text is looked for. */
const PAUSE = 200;

/** A step, and what it sent itself or by the steps in it. */
export interface ShownStep {
  readonly step: RanStep;
  /** Index in the steps of the run; undefined for the run as a whole. */
  readonly index: number | undefined;
  readonly exchanges: readonly PlacedExchange[];
}

/** What a person does with it. */
interface DetailActions {
  ask<Result>(question: Question): Promise<Result>;
  copyText(text: string): void;
  copyValue(part: RunPart, pointer: string): void;
  copyCurl(places: readonly ExchangePlace[]): void;
}

/** What one step took, asked and gave. The tab that a person chose stays chosen from step to step. */
export class StepDetail {
  readonly element: HTMLElement;
  readonly #actions: DetailActions;
  readonly #bar: HTMLElement;
  readonly #copy: HTMLElement;
  readonly #filter: HTMLInputElement;
  readonly #panel: HTMLElement;
  #tab: Tab = "Output";
  #shown: ShownStep | undefined;
  #running = false;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(actions: DetailActions) {
    this.#actions = actions;
    this.#bar = element("div", { role: "tablist", "aria-label": "Of this step" }, []);
    this.#copy = element("button", { type: "button", class: "link" }, ["Copy"]);
    this.#filter = element(
      "input",
      {
        type: "search",
        id: "filter",
        placeholder: "Filter",
        "aria-label": "Filter by a text in names and values",
      },
      [],
    ) as HTMLInputElement;
    this.#panel = element("div", { id: "detail", role: "tabpanel" }, []);
    const bar = element("div", { class: "tabs" }, [this.#bar, this.#filter, this.#copy]);
    this.element = element("section", { class: "detail", "aria-label": "The chosen step" }, [
      bar,
      this.#panel,
    ]);
    this.#copy.addEventListener("click", () => this.#copyShown());
    this.#filter.addEventListener("input", () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#fill(), PAUSE);
    });
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
    const isRequests = this.#tab === "Requests";
    this.#copy.textContent = isRequests ? "Copy as cURL" : "Copy";
    this.#copy.title = isRequests ? "All requests, with secrets masked" : "All of it, as JSON";
    this.#filter.hidden = this.#tab === "Raw" || (!isRequests && this.#part() === undefined);
    this.#panel.setAttribute("aria-labelledby", `tab-${this.#tab}`);
    this.#fill();
  }

  #choose(name: Tab): void {
    this.#tab = name;
    this.#filter.value = "";
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

  /** The value on show, by which more of it is asked for; undefined where there is none. */
  #part(): RunPart | undefined {
    if (this.#shown === undefined) return undefined;
    const { step, index } = this.#shown;
    const placed = index === undefined ? {} : { step: index };
    if (this.#tab === "Input") return index === undefined ? undefined : { ...placed, part: "input" };
    return "output" in step ? { ...placed, part: "output" } : undefined;
  }

  readonly #fetchOf = (part: RunPart): FetchPart => {
    return (pointer, from, count) => this.#actions.ask({ ask: "value", part, pointer, from, count });
  };

  #fill(): void {
    const { value } = this.#filter;
    if (value !== "" && !this.#filter.hidden) void this.#find(value);
    else this.#panel.replaceChildren(...this.#content());
  }

  #content(): HTMLElement[] {
    if (this.#shown === undefined)
      return [quiet(this.#running ? "Waiting for the first step …" : "Nothing ran.")];
    const { step, exchanges } = this.#shown;
    switch (this.#tab) {
      case "Input":
        return [this.#tree(step.input, "Input")];
      case "Requests":
        return [this.#requests(exchanges)];
      case "Raw":
        return [this.#raw()];
      case "Output":
        return [...step.notes.map(quiet), this.#output(step)];
    }
  }

  #output(step: RanStep): HTMLElement {
    if (step.error !== undefined) return this.#tree(step.error, "Error");
    if ("output" in step) return this.#tree(step.output, "Output");
    return quiet(this.#running ? "Running …" : "It was cancelled before it ended.");
  }

  #tree(value: unknown, label: string): HTMLElement {
    const part = this.#part();
    const cuts = below(this.#shown?.step.cuts ?? [], `/${label.toLowerCase()}`);
    const root = new TreeNode({ value, cuts, ...(part === undefined ? {} : { fetch: this.#fetchOf(part) }) });
    return this.#treeOf(root, label);
  }

  #treeOf(root: TreeNode, label: string): HTMLElement {
    const tree = new ValueTree(root, label, (node) => {
      const part = this.#part();
      if (part === undefined || this.#tab === "Requests")
        this.#actions.copyText(JSON.stringify(node.value, undefined, 2) ?? "");
      else this.#actions.copyValue(part, node.pointer);
    });
    tree.openFirst();
    return tree.element;
  }

  #requests(exchanges: readonly PlacedExchange[]): HTMLElement {
    if (exchanges.length === 0) return quiet("This step sent no request.");
    const { copyCurl } = this.#actions;
    const running = this.#running;
    const root = exchangeNodes(exchanges, { fetchOf: this.#fetchOf, copyCurl, running });
    return this.#treeOf(root, "Requests");
  }

  #raw(): HTMLElement {
    const pre = element("pre", { tabindex: "0" }, ["…"]);
    const part = this.#part();
    if (part === undefined) {
      pre.textContent = JSON.stringify(this.#shown?.step.error, undefined, 2) ?? "";
      return pre;
    }
    void this.#actions.ask<string>({ ask: "text", part, most: LONGEST_RAW }).then(
      (text) => {
        pre.textContent = text;
      },
      (error: Error) => pre.replaceChildren(quiet(`${error.message} “Copy” takes all of it.`)),
    );
    return pre;
  }

  async #find(text: string): Promise<void> {
    if (this.#tab === "Requests") {
      const wanted = text.toLowerCase();
      const exchanges = this.#shown?.exchanges ?? [];
      const found = exchanges.filter(({ of: { method, url, response, failure } }) =>
        `${method} ${url} ${response?.status} ${failure}`.toLowerCase().includes(wanted),
      );
      this.#panel.replaceChildren(
        found.length === 0
          ? quiet("No request has this in its method, address or status.")
          : this.#requests(found),
      );
      return;
    }
    const part = this.#part();
    if (part === undefined) return;
    const isNow = (): boolean =>
      this.#filter.value === text && JSON.stringify(this.#part()) === JSON.stringify(part);
    try {
      const { matches, count } = await this.#actions.ask<RunFindResult>({ ask: "find", part, text });
      if (!isNow()) return;
      const rest =
        count > matches.length ? `, of which ${matches.length.toLocaleString("en")} are listed` : "";
      const label = `${counted(count, "match").replace(/matchs$/, "matches")}${rest}`;
      const children = matches.map(
        ({ pointer, value, cuts = [] }) =>
          new TreeNode({ name: pathOf(pointer), pointer, value, cuts, fetch: this.#fetchOf(part) }),
      );
      const root = new TreeNode({ shown: { label: [label], spoken: label }, children });
      this.#panel.replaceChildren(
        count === 0 ? quiet("Nothing has this in its name or value.") : this.#treeOf(root, "Matches"),
      );
    } catch (error) {
      if (isNow()) this.#panel.replaceChildren(quiet(error instanceof Error ? error.message : String(error)));
    }
  }

  #copyShown(): void {
    if (this.#shown === undefined) return;
    const part = this.#part();
    if (this.#tab === "Requests") this.#actions.copyCurl(this.#shown.exchanges);
    else if (part !== undefined) this.#actions.copyValue(part, "");
    else this.#actions.copyText(JSON.stringify(this.#shown.step.error, undefined, 2) ?? "");
  }
}

/** As one would write it in a program: `.items[3].name`. */
function pathOf(pointer: string): string {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const path = steps.map((step) =>
    /^\d+$/.test(step) ? `[${step}]` : /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  return path[0]?.startsWith(".") ? path.join("") : `.${path.join("")}`;
}

function quiet(text: string): HTMLElement {
  return element("p", { class: "note" }, [text]);
}
