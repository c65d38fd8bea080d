import type { FromProgram, ToProgram } from "../src/messages.ts";
import { element } from "./element.ts";
import type { Trial, Tried } from "./program-messages.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromProgram): void };

/** What takes longer is ended. */
const LONGEST = 3_000;
/** What is quicker needs no word about it. */
const SOON = 300;

const editor = acquireVsCodeApi();
const main = document.querySelector("main")!;
const choice = element("select", { id: "choice" }, []) as HTMLSelectElement;
const output = element(
  "div",
  { class: "output", role: "region", "aria-label": "Output", "aria-live": "polite" },
  [],
);
const given = element("pre", {}, []);
const state = element("p", { class: "state" }, []);
main.replaceChildren(
  element("div", { class: "bar" }, [element("label", { for: "choice" }, ["Tried on"]), choice, state]),
  output,
  element("details", {}, [element("summary", {}, ["What it takes"]), given]),
);

type Inputs = Extract<ToProgram, { kind: "inputs" }>["inputs"];
let inputs: Inputs = [];
let program: Pick<Trial, "text" | "holes"> | undefined;
let script: string | undefined;
let worker: Worker | undefined;
let isBusy = false;
let waiting: ReturnType<typeof setTimeout> | undefined;

addEventListener("message", ({ data }: MessageEvent<ToProgram>) => {
  switch (data.kind) {
    case "inputs":
      return showInputs(data.inputs, data.chosen);
    case "text":
      program = data;
      return run();
    case "broken":
      return output.replaceChildren(element("p", { class: "failure" }, [data.message]));
  }
});
choice.addEventListener("change", () => {
  showGiven();
  run();
});
editor.postMessage({ kind: "ready" });

function showInputs(all: Inputs, chosen: number): void {
  const before = inputs[choice.selectedIndex]?.label;
  inputs = all;
  choice.replaceChildren(...all.map(({ label }) => element("option", {}, [label])));
  const same = all.findIndex(({ label }) => label === before);
  // A run that is new is what one wants to see.
  const isNew = all[0]?.label === "Last run" && !before?.startsWith("Last run");
  choice.selectedIndex = same >= 0 && !isNew ? same : chosen;
  showGiven();
  run();
}

function showGiven(): void {
  const text = JSON.stringify(inputs[choice.selectedIndex]?.input ?? null, undefined, 2);
  given.textContent =
    text.length <= 100_000 ? text : `${text.slice(0, 100_000)}\n… ${text.length - 100_000} more characters`;
}

function run(): void {
  const input = inputs[choice.selectedIndex];
  if (program === undefined || input === undefined) return;
  // One that still runs is about a text that isn't there any more.
  if (isBusy) end();
  void start({ ...program, ...input });
}

async function start(trial: Trial): Promise<void> {
  const own = (worker ??= await newWorker());
  if (own !== worker || trial.text !== program?.text) return;
  isBusy = true;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    state.textContent = "Running …";
    waiting = setTimeout(() => {
      end();
      state.textContent = `Ended after ${LONGEST / 1_000} seconds.`;
    }, LONGEST - SOON);
  }, SOON);
  own.postMessage(trial);
}

/** A page of an extension can make a worker only of a text. */
async function newWorker(): Promise<Worker> {
  script ??= URL.createObjectURL(
    new Blob([await (await fetch(new URL("program-worker.js", import.meta.url))).text()], {
      type: "text/javascript",
    }),
  );
  const made = new Worker(script, { type: "module" });
  made.addEventListener("message", ({ data }: MessageEvent<Tried>) => {
    if (made !== worker) return;
    isBusy = false;
    clearTimeout(waiting);
    show(data);
  });
  return made;
}

function end(): void {
  clearTimeout(waiting);
  worker?.terminate();
  worker = undefined;
  isBusy = false;
}

function show({ outputs, count, isAll, failure, milliseconds }: Tried): void {
  state.textContent = `${failure === undefined ? summary(count, isAll) : failed(count)} · ${milliseconds < 1 ? "under 1" : Math.round(milliseconds)} ms`;
  output.replaceChildren(
    ...outputs.map((text, index) => element("pre", { class: index === 0 ? "first" : "further" }, [text])),
    ...(failure === undefined
      ? []
      : [element("p", { class: "failure" }, [failure.message, where(failure.at)])]),
  );
}

function failed(count: number): string {
  if (count === 0) return "It fails";
  return `${count === 1 ? "1 output" : `${count} outputs`}, then it fails`;
}

/** D23 */
function summary(count: number, isAll: boolean): string {
  if (count === 0) return "No output: the step gives null";
  if (count === 1) return "1 output";
  return `${count}${isAll ? "" : " or more"} outputs: the step gives the first one`;
}

function where(at: number | undefined): string {
  if (at === undefined || program === undefined) return "";
  const lines = program.text.slice(0, at).split("\n");
  return ` (line ${lines.length}, column ${lines.at(-1)!.length + 1})`;
}
