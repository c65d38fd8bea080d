import type { RanStep, RunStepResult } from "@configc/language-server";
import type { FromPanel, ToPanel } from "../src/messages.ts";
import { element } from "./element.ts";
import { StepDetail } from "./step-detail.ts";
import { StepList } from "./step-list.ts";
import { typesOf } from "./types.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromPanel): void };

const editor = acquireVsCodeApi();
const main = document.querySelector("main")!;
const header = element("header", {}, []);
const list = new StepList({
  choose: (index) => {
    follows = false;
    choose(index);
  },
  reveal: (step) => editor.postMessage({ kind: "reveal", step }),
});
const detail = new StepDetail();

let steps: RanStep[] = [];
let running = false;
/** Until a person chooses a step, the last one of a run that goes on is the chosen one. */
let follows = true;

addEventListener("message", ({ data }: MessageEvent<ToPanel>) => show(data));
editor.postMessage({ kind: "ready" });

function show(message: ToPanel): void {
  const focused = document.activeElement?.id ?? "";
  switch (message.kind) {
    case "running":
      begin(message.title);
      break;
    case "progress":
      if (running) goOn(message.steps);
      break;
    case "result":
      end(message);
      break;
    case "broken":
      running = false;
      header.replaceChildren(verdict("failed", message.message, "alert"), action("Run again", "rerun"));
      main.replaceChildren(header);
      break;
    case "types":
      running = false;
      main.replaceChildren(...typesOf(message.title, message.types));
  }
  // What is drawn anew loses the focus.
  if (focused !== "" && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}

function begin(title: string): void {
  steps = [];
  running = true;
  follows = true;
  header.replaceChildren(verdict("running", `Running ${title} …`, "status"), action("Cancel", "cancel"));
  main.replaceChildren(header, columns());
  list.draw(steps, running);
  detail.draw(undefined, running);
}

function goOn(changes: Extract<ToPanel, { kind: "progress" }>["steps"]): void {
  for (const { index, step } of changes) steps[index] = step;
  const { selected } = list;
  list.draw(steps, running);
  if (follows) choose(steps.length - 1);
  // What a person is reading isn't drawn anew because of another step.
  else if (changes.some(({ index }) => index === selected)) detail.draw(steps[selected], running);
}

function end({ result, title, comparable }: Extract<ToPanel, { kind: "result" }>): void {
  const { failure, milliseconds } = result;
  const kept = follows ? undefined : list.selected;
  steps = [...result.steps];
  running = false;
  header.replaceChildren(
    verdict(failure === undefined ? "passed" : "failed", title, "status", duration(milliseconds)),
    action("Run again", "rerun"),
    ...(comparable ? [action("Compare with the last run", "compare")] : []),
    ...(failure === undefined ? [action("Save as sample", "saveSample")] : []),
    action("Save as test case", "saveTest"),
  );
  main.replaceChildren(header, ...(failure === undefined ? [] : [failureBar(failure)]), columns());
  list.draw(steps, running);
  choose(kept ?? interesting(result));
}

/** What one wants to see first: what failed, else what the whole gave. */
function interesting({ failure, steps: ran }: RunStepResult): number {
  return Math.max(
    0,
    ran.findIndex(({ error, node }) => error !== undefined && node === failure?.pointer),
  );
}

function choose(index: number): void {
  list.select(index);
  detail.draw(steps[index], running);
}

function columns(): HTMLElement {
  return element("div", { class: "columns" }, [list.element, detail.element]);
}

const marks = { passed: "✓", failed: "✗", running: "" } as const;

function verdict(state: keyof typeof marks, text: string, role: "status" | "alert", more = ""): HTMLElement {
  return element("p", { class: `state ${state}`, role }, [
    element("span", { class: "mark", "aria-hidden": "true" }, [marks[state]]),
    element("span", { class: "hidden" }, [
      state === "passed" ? "Passed: " : state === "failed" ? "Failed: " : "",
    ]),
    element("strong", {}, [text]),
    element("small", {}, [more]),
  ]);
}

function failureBar({ kind, message, cause }: NonNullable<RunStepResult["failure"]>): HTMLElement {
  return element("p", { class: "failure", role: "alert" }, [
    element("strong", {}, [kind]),
    ` ${message}${cause === undefined ? "" : ` – ${cause}`}`,
  ]);
}

function duration(milliseconds: number): string {
  return milliseconds < 10_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

function action(title: string, kind: Exclude<FromPanel["kind"], "reveal">): HTMLElement {
  const button = element("button", { id: `action-${kind}`, type: "button", class: "action" }, [title]);
  button.addEventListener("click", () => editor.postMessage({ kind }));
  return button;
}
