import type { SimulateResult } from "@configc/language-server";
import type { FromSimulation, ToSimulation } from "../src/messages.ts";
import { element, prose } from "./element.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromSimulation): void };

type Part = SimulateResult["report"]["parts"][number];
type Failure = Part["failures"][number];

const editor = acquireVsCodeApi();
const main = document.querySelector("main")!;
/** Stays where it is: what changes in it is read aloud. */
const verdict = element("p", { role: "status", class: "state" }, []);
const actions = element("div", { class: "actions" }, []);
const body = element("div", { class: "body" }, []);
const stop = button("Stop", { kind: "cancel" }, "action");

addEventListener("message", ({ data }: MessageEvent<ToSimulation>) => show(data));
editor.postMessage({ kind: "ready" });

function show(message: ToSimulation): void {
  if (!main.contains(verdict)) main.replaceChildren(element("header", {}, [verdict, actions]), body);
  switch (message.kind) {
    case "running": {
      const { title, progress } = message;
      const far = progress === undefined ? "" : `${progress.workflow}: ${count(progress.worlds, "world")}`;
      say("running", `Simulating ${title} …`, far);
      // Progress comes many times a second: a button that is replaced while it is pressed takes no press.
      if (!actions.contains(stop)) actions.replaceChildren(stop);
      if (progress === undefined) body.replaceChildren();
      return;
    }
    case "result":
      return showResult(message);
    case "broken":
      say("failed", "It couldn't be simulated", "");
      actions.replaceChildren(button("Simulate again", { kind: "rerun" }, "action"));
      body.replaceChildren(element("p", { class: "empty", role: "alert" }, prose(message.message)));
  }
}

function showResult({ title, report, told, isOld }: Extract<ToSimulation, { kind: "result" }>): void {
  const { parts } = report;
  const broken = parts.reduce((sum, { failures }) => sum + failures.length, 0);
  const worlds = parts.reduce((sum, part) => sum + part.worlds, 0);
  const failing = parts.filter(({ failsAnyway = false }) => failsAnyway).length;
  const tried = `${count(worlds, "world")} tried${isOld ? "; the config has changed since" : ""}`;
  if (broken === 0 && failing > 0)
    say("failed", `${title}: ${count(failing, "workflow")} can't run with any service`, tried);
  else if (worlds === 0) say("unknown", `${title}: nothing could be tried`, "");
  else if (broken === 0) say("passed", `${title}: no law broke`, tried);
  else say("failed", `${title}: ${count(broken, "way")} in which a law breaks`, tried);
  actions.replaceChildren(button("Simulate again", { kind: "rerun" }, "action"));
  const [ran = "", ...missing] = told.coverage;
  body.replaceChildren(
    ...parts.map((part, index) => partOf(part, index, told.parts[index] ?? [])),
    ...(ran === ""
      ? []
      : [
          element("section", {}, [
            element("h2", {}, ["Ran in any world"]),
            element("p", { class: "dim" }, [ran]),
            element("details", {}, [
              element("summary", {}, [`${count(missing.length, "place")} that never ran`]),
              element(
                "ul",
                {},
                missing.map((line) => element("li", {}, [line])),
              ),
            ]),
          ]),
        ]),
  );
}

function partOf(part: Part, index: number, told: readonly string[]): HTMLElement {
  const { kind, workflow, intake, untried, failsAnyway = false, roles, assumptions, failures } = part;
  const by = kind === "setup" ? ", its guided setup" : intake === undefined ? "" : `, by ${intake}`;
  const title = element("h2", {}, [`${workflow}${by}`]);
  if (untried !== undefined)
    return element("section", {}, [
      title,
      element("p", failsAnyway ? { class: "failing" } : { class: "dim" }, told.flatMap(prose)),
    ]);
  return element("section", {}, [
    title,
    ...failures.map((failure, at) => failureOf(failure, index, at)),
    element("pre", { class: "told", tabindex: "0", "aria-label": "What was tried" }, [told.join("\n")]),
    element("details", failures.length === 0 ? {} : { open: "" }, [
      element("summary", {}, ["The service is taken for this"]),
      element(
        "ul",
        {},
        [...roles, ...assumptions].map((line) => element("li", {}, prose(line))),
      ),
    ]),
  ]);
}

function failureOf(
  { law, message, needs, story, cure, seed }: Failure,
  part: number,
  failure: number,
): HTMLElement {
  const takes = needs.length === 0 ? "nothing special of the service" : needs.join(", ");
  return element("article", {}, [
    element("h3", {}, [element("span", { class: "mark", "aria-hidden": "true" }, ["✗"]), ` ${law}`]),
    element("p", {}, prose(`${message} It takes ${takes}.`)),
    // It may be wider than the panel, so the keyboard has to get there.
    element("pre", { tabindex: "0", "aria-label": "Story" }, [story.join("\n")]),
    element("p", { class: "cure" }, [element("strong", {}, ["Cure: "]), ...prose(cure)]),
    element("p", { class: "buttons" }, [
      button("Go to the place", { kind: "reveal", part, failure }, "action"),
      button("Save as test case", { kind: "saveTest", part, failure }, "action"),
      ...(seed === 0 ? [] : [element("small", {}, [`seed ${seed}`])]),
    ]),
  ]);
}

const marks = { passed: "✓", failed: "✗", running: "", unknown: "" } as const;

function say(state: keyof typeof marks, text: string, more: string): void {
  verdict.className = `state ${state}`;
  verdict.replaceChildren(
    element("span", { class: "mark", "aria-hidden": "true" }, [marks[state]]),
    element("strong", {}, [text]),
    element("small", {}, [more]),
  );
}

function button(title: string, message: FromSimulation, kind: string): HTMLElement {
  const made = element("button", { type: "button", class: kind }, [title]);
  made.addEventListener("click", () => editor.postMessage(message));
  return made;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
