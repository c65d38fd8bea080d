import type { Exchange, RanStep, RunStepResult } from "@configc/language-server";
import type { FromPanel, ToPanel } from "../src/messages.ts";
import { element } from "./element.ts";
import { jsonTree } from "./json-tree.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromPanel): void };

const editor = acquireVsCodeApi();
const main = document.querySelector("main")!;
let selected = 0;
let tab: Tab = "Output";

type Tab = "Output" | "Input" | "Requests" | "Raw";
const tabs: readonly Tab[] = ["Output", "Input", "Requests", "Raw"];

addEventListener("message", ({ data }: MessageEvent<ToPanel>) => show(data));
editor.postMessage({ kind: "ready" });

function show(message: ToPanel): void {
  switch (message.kind) {
    case "running":
      main.replaceChildren(
        element("header", {}, [
          element("span", { class: "state running", role: "status" }, [`Running ${message.title} …`]),
          action("Cancel", "cancel"),
        ]),
      );
      break;
    case "broken":
      main.replaceChildren(
        element("header", {}, [
          element("span", { class: "state failed", role: "alert" }, [`✗ ${message.message}`]),
          action("Run again", "rerun"),
        ]),
      );
      break;
    case "types":
      main.replaceChildren(
        element("header", {}, [element("span", { class: "state" }, [message.title])]),
        ...message.types.map(({ pointer, command, input, output }) =>
          element("section", { class: "types" }, [
            element("h2", {}, [`${command} `, element("small", {}, [pointer])]),
            element("h3", {}, ["takes"]),
            element("pre", { tabindex: "0" }, [input]),
            element("h3", {}, ["gives"]),
            element("pre", { tabindex: "0" }, [output]),
          ]),
        ),
      );
      break;
    case "result": {
      const failed = message.result.steps.findIndex(
        ({ error, node }) => error !== undefined && node === message.result.failure?.pointer,
      );
      selected = Math.max(failed, 0);
      tab = "Output";
      draw(message);
    }
  }
}

function draw(message: Extract<ToPanel, { kind: "result" }>): void {
  const { result, title, comparable } = message;
  const focused = document.activeElement?.id;
  main.replaceChildren(
    element("header", {}, [
      verdict(result, title),
      action("Run again", "rerun"),
      ...(comparable ? [action("Compare with the last run", "compare")] : []),
      ...(result.failure === undefined ? [action("Save as sample", "saveSample")] : []),
      action("Save as test case", "saveTest"),
    ]),
    ...(result.failure === undefined ? [] : [failure(result.failure)]),
    element("div", { class: "columns" }, [stepList(message), detail(message)]),
  );
  if (focused !== undefined && focused !== "") document.getElementById(focused)?.focus();
}

function verdict({ failure: failed, milliseconds }: RunStepResult, title: string): HTMLElement {
  const text = failed === undefined ? `✓ ${title}` : `✗ ${title}`;
  return element("span", { class: `state ${failed === undefined ? "passed" : "failed"}`, role: "status" }, [
    text,
    element("small", {}, [` ${milliseconds} ms`]),
  ]);
}

function failure({ kind, message, cause }: NonNullable<RunStepResult["failure"]>): HTMLElement {
  return element("p", { class: "failure", role: "alert" }, [
    element("strong", {}, [kind]),
    ` ${message}${cause === undefined ? "" : ` – ${cause}`}`,
  ]);
}

/** Steps are chosen with the arrow keys or a click; Enter goes to the source. */
function stepList(message: Extract<ToPanel, { kind: "result" }>): HTMLElement {
  const { steps } = message.result;
  const choose = (index: number): void => {
    selected = index;
    draw(message);
    document.getElementById(`step-${index}`)?.focus();
  };
  const items = steps.map((step, index) => {
    const item = element(
      "li",
      {
        id: `step-${index}`,
        role: "option",
        "aria-selected": `${index === selected}`,
        tabindex: index === selected ? "0" : "-1",
        title: `${step.node}\nEnter or double click: go to the source`,
        class: step.error === undefined ? "" : "failed",
      },
      [
        element("span", { class: "name" }, [step.key]),
        element("span", { class: "what" }, [what(step)]),
        element("span", { class: "time" }, [`${step.milliseconds} ms`]),
      ],
    );
    item.style.paddingInlineStart = `${8 + step.depth * 14}px`;
    item.addEventListener("click", () => choose(index));
    item.addEventListener("dblclick", () => editor.postMessage({ kind: "reveal", step: index }));
    return item;
  });
  const list = element("ol", { role: "listbox", "aria-label": "Steps of the run" }, items);
  list.addEventListener("keydown", (event) => {
    const to = { ArrowDown: selected + 1, ArrowUp: selected - 1, Home: 0, End: steps.length - 1 }[event.key];
    if (event.key === "Enter") editor.postMessage({ kind: "reveal", step: selected });
    else if (to === undefined) return;
    else if (steps[to] !== undefined) choose(to);
    event.preventDefault();
  });
  return list;
}

function what({ exchanges, error }: RanStep): string {
  if (error !== undefined) return String((error as { kind?: unknown }).kind ?? "failed");
  const [last] = exchanges.slice(-1);
  if (last === undefined) return "";
  const times = exchanges.length > 1 ? ` ×${exchanges.length}` : "";
  return `${last.method} ${last.response?.status ?? "no answer"}${times}`;
}

function detail(message: Extract<ToPanel, { kind: "result" }>): HTMLElement {
  const step = message.result.steps[selected];
  const bar = element(
    "div",
    { role: "tablist", "aria-label": "Of this step" },
    tabs.map((name) => {
      const count = name === "Requests" ? ` (${step?.exchanges.length ?? 0})` : "";
      const button = element(
        "button",
        {
          id: `tab-${name}`,
          role: "tab",
          "aria-selected": `${name === tab}`,
          "aria-controls": "detail",
          tabindex: name === tab ? "0" : "-1",
        },
        [`${name}${count}`],
      );
      button.addEventListener("click", () => chooseTab(name, message));
      return button;
    }),
  );
  bar.addEventListener("keydown", ({ key }) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0;
    const next = tabs[(tabs.indexOf(tab) + move + tabs.length) % tabs.length];
    if (move !== 0 && next !== undefined) chooseTab(next, message);
  });
  return element("section", { class: "detail" }, [
    bar,
    element(
      "div",
      { id: "detail", role: "tabpanel", "aria-labelledby": `tab-${tab}`, tabindex: "0" },
      step === undefined ? ["Nothing ran."] : content(step),
    ),
  ]);
}

function chooseTab(name: Tab, message: Extract<ToPanel, { kind: "result" }>): void {
  tab = name;
  draw(message);
  document.getElementById(`tab-${name}`)?.focus();
}

function content(step: RanStep): (HTMLElement | string)[] {
  const notes = step.notes.map((text) => element("p", { class: "note" }, [text]));
  switch (tab) {
    case "Input":
      return [jsonTree(step.input)];
    case "Requests":
      return step.exchanges.length === 0 ? ["It sent no request."] : step.exchanges.map(exchange);
    case "Raw":
      return [element("pre", {}, [JSON.stringify(step, undefined, 2)])];
    default:
      if (step.error !== undefined) return [...notes, jsonTree(step.error)];
      return [...notes, "output" in step ? jsonTree(step.output) : "It didn't end."];
  }
}

function exchange({
  method,
  url,
  headers,
  body,
  response,
  failure: none,
  milliseconds,
}: Exchange): HTMLElement {
  return element("article", { class: "exchange" }, [
    element("h3", {}, [
      element("span", { class: "method" }, [method]),
      ` ${url} `,
      element("span", { class: statusClass(response?.status) }, [none ?? String(response?.status)]),
      element("small", {}, [` ${milliseconds} ms`]),
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

function statusClass(status: number | undefined): string {
  return status !== undefined && status < 400 ? "status passed" : "status failed";
}

function action(title: string, kind: Exclude<FromPanel["kind"], "reveal">): HTMLElement {
  const button = element("button", { id: `action-${kind}`, type: "button", class: "action" }, [title]);
  button.addEventListener("click", () => editor.postMessage({ kind }));
  return button;
}
