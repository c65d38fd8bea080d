import type { RanStep, RunStepResult } from "@configc/language-server";
import type { FromPanel, ToPanel } from "../src/messages.ts";
import { element } from "./element.ts";
import { Questions } from "./questions.ts";
import { type ShownStep, StepDetail } from "./step-detail.ts";
import { StepList } from "./step-list.ts";
import { typesOf } from "./types.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromPanel): void };

const editor = acquireVsCodeApi();
const main = document.querySelector("main")!;
/** Stays where it is: what changes in it is read aloud. */
const verdict = element("p", { role: "status" }, []);
const actions = element("div", { class: "actions" }, []);
const body = element("div", { class: "body" }, []);
const list = new StepList({
  choose: (index) => {
    follows = false;
    choose(index);
  },
  reveal: (index) => {
    if (index >= before) editor.postMessage({ kind: "reveal", step: index - before });
  },
});
const questions = new Questions((message) => editor.postMessage(message));
const detail = new StepDetail({
  ask: (question) => questions.ask(question),
  copyText: (text) => editor.postMessage({ kind: "copy", text }),
  copyValue: (part, pointer) => editor.postMessage({ kind: "copyValue", part, pointer }),
  copyCurl: (places) =>
    editor.postMessage({
      kind: "copyCurl",
      exchanges: places.map(({ step, exchange }) => ({ step, exchange })),
    }),
});

let steps: RanStep[] = [];
/** How many rows stand before the steps: one for the whole of a run that no single command is. */
let before = 0;
let running = false;
/** Until a person chooses a step, the last one of a run that goes on is the chosen one. */
let follows = true;

addEventListener("message", ({ data }: MessageEvent<ToPanel>) => {
  if (data.kind === "answer") questions.answered(data);
  else show(data);
});
editor.postMessage({ kind: "ready" });

function show(message: Exclude<ToPanel, { kind: "answer" }>): void {
  const focused = document.activeElement?.id ?? "";
  if (message.kind === "types") {
    running = false;
    main.replaceChildren(...typesOf(message.title, message.types));
    return;
  }
  if (!main.contains(verdict)) main.replaceChildren(element("header", {}, [verdict, actions]), body);
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
      say("failed", "It couldn't be run");
      actions.replaceChildren(action("Run again", "rerun"));
      body.replaceChildren(failureBar(message.message));
  }
  // What is drawn anew loses the focus.
  if (focused !== "" && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}

function begin(title: string): void {
  steps = [];
  before = 0;
  running = true;
  follows = true;
  say("running", `Running ${title} …`);
  actions.replaceChildren(action("Cancel", "cancel"));
  body.replaceChildren(columns());
  list.draw(steps, running);
  detail.draw(undefined, running);
}

function goOn(changes: Extract<ToPanel, { kind: "progress" }>["steps"]): void {
  for (const { index, step } of changes) steps[index] = step;
  const { selected } = list;
  list.draw(steps, running);
  if (follows) choose(steps.length - 1);
  // What a person is reading isn't drawn anew because of another step.
  else if (changes.some(({ index }) => index === selected)) detail.draw(shownAt(selected), running);
}

function end({ result, title, comparable }: Extract<ToPanel, { kind: "result" }>): void {
  const { failure, milliseconds } = result;
  const whole = wholeOf(result);
  before = whole === undefined ? 0 : 1;
  const kept = follows ? undefined : list.selected + before;
  steps = whole === undefined ? [...result.steps] : [whole, ...result.steps.map(indented)];
  running = false;
  say(failure === undefined ? "passed" : "failed", title, duration(milliseconds));
  actions.replaceChildren(
    action("Run again", "rerun"),
    ...(comparable ? [action("Compare with the last run", "compare")] : []),
    ...(failure?.refused === true ? [action("Allow private networks…", "allowPrivate")] : []),
    ...(failure?.status === 401 ? [action("Connect again", "connect")] : []),
    ...(failure === undefined ? [action("Save as sample", "saveSample")] : []),
    action("Save as test case", "saveTest"),
  );
  body.replaceChildren(...(failure === undefined ? [] : [failureOf(failure)]), columns());
  list.draw(steps, running);
  choose(kept ?? interesting(result));
}

/** What a polling cycle or a pipeline gave: it runs several commands, and none of them is the whole. */
function wholeOf({
  node,
  output,
  failure,
  milliseconds,
  cuts,
  steps: ran,
}: RunStepResult): RanStep | undefined {
  if (ran.filter(({ depth }) => depth === 0).length === 1 && ran[0]?.node === node) return undefined;
  return {
    node,
    key: "Whole run",
    depth: 0,
    input: null,
    ...(failure === undefined ? { output } : { error: failure }),
    start: 0,
    milliseconds,
    exchanges: [],
    notes: [],
    ...(cuts === undefined ? {} : { cuts }),
  };
}

function indented(step: RanStep): RanStep {
  return { ...step, depth: step.depth + 1 };
}

/** What one wants to see first: what failed, else what the whole gave. */
function interesting({ failure, steps: ran }: RunStepResult): number {
  const failed = ran.findIndex(({ error, node }) => error !== undefined && node === failure?.pointer);
  return failed < 0 ? 0 : failed + before;
}

function choose(index: number): void {
  list.select(index);
  detail.draw(shownAt(index), running);
}

function shownAt(index: number): ShownStep | undefined {
  const step = steps[index];
  if (step === undefined) return undefined;
  const after = steps.slice(index + 1);
  const outside = after.findIndex(({ depth }) => depth <= step.depth);
  const inside = outside < 0 ? after : after.slice(0, outside);
  const first = index - before;
  const exchanges = [step, ...inside].flatMap((each, at) =>
    each.exchanges.map((of, exchange) => ({ of, step: first + at, exchange })),
  );
  return { step, index: first < 0 ? undefined : first, exchanges };
}

function columns(): HTMLElement {
  return element("div", { class: "columns" }, [list.element, detail.element]);
}

const marks = { passed: "✓", failed: "✗", running: "" } as const;
const spoken = { passed: "Passed: ", failed: "Failed: ", running: "" } as const;

function say(state: keyof typeof marks, text: string, more = ""): void {
  verdict.className = `state ${state}`;
  verdict.replaceChildren(
    element("span", { class: "mark", "aria-hidden": "true" }, [marks[state]]),
    element("span", { class: "hidden" }, [spoken[state]]),
    element("strong", {}, [text]),
    element("small", {}, [more]),
  );
}

function failureOf({ kind, message, cause }: NonNullable<RunStepResult["failure"]>): HTMLElement {
  return failureBar(element("strong", {}, [kind]), ` ${message}${cause === undefined ? "" : ` – ${cause}`}`);
}

/** It scrolls where it is long, so the keyboard has to get there. */
function failureBar(...text: readonly (Node | string)[]): HTMLElement {
  return element("p", { class: "failure", role: "alert", tabindex: "0" }, text);
}

function duration(milliseconds: number): string {
  return milliseconds < 10_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

type Pressed = "rerun" | "cancel" | "compare" | "saveSample" | "saveTest" | "connect" | "allowPrivate";

function action(title: string, kind: Pressed): HTMLElement {
  const button = element("button", { id: `action-${kind}`, type: "button", class: "action" }, [title]);
  button.addEventListener("click", () => editor.postMessage({ kind }));
  return button;
}
