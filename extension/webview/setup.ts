import type { SetupAction, SetupResult } from "@configc/language-server";
import type { FromSetup, ToSetup } from "../src/messages.ts";
import { element } from "./element.ts";
import type { Mapping } from "./setup-mapping.ts";
import { failureLink, problemOf } from "./setup-problem.ts";
import { headingOf, type StepActions, stepContent } from "./setup-steps.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromSetup): void };

type View = SetupResult["view"];
type Shown = Extract<ToSetup, { kind: "setup" }>;

const editor = acquireVsCodeApi();
const main = document.querySelector("main")!;
const waiting = element("span", { class: "waiting", role: "status" }, []);
const actions: StepActions = {
  answer: (field, value, search) =>
    act({ kind: "answer", field, value, ...(search === "" ? {} : { search }) }),
  search: (field, term) => editor.postMessage({ kind: "search", field, term }),
  reveal: ({ range }) => {
    if (range !== undefined) editor.postMessage({ kind: "reveal", line: range.start.line });
  },
  map: (chosen) => {
    mapping = chosen;
    act({ kind: "map", mapping });
  },
  act,
};
/** What a person chose last, also where it was refused. */
let mapping: Mapping | undefined;
let shownStep: View["current"]["step"] | undefined;

addEventListener("message", ({ data }: MessageEvent<ToSetup>) => show(data));
editor.postMessage({ kind: "ready" });

function show(message: ToSetup): void {
  wait(message.kind === "waiting");
  if (message.kind === "broken")
    main.replaceChildren(problemOf(message.message), link("Begin again", "restart"), waiting);
  else if (message.kind === "setup") draw(message);
}

function wait(waits: boolean): void {
  waiting.textContent = waits ? "Asking …" : "";
  main.setAttribute("aria-busy", `${waits}`);
}

function draw({ result, searches, live, keepable }: Shown): void {
  const { view, issues, failure } = result;
  const keep = keepPlace(view);
  main.replaceChildren(
    element("header", {}, [
      element("h1", {}, [view.workflow.label || view.workflow.name]),
      element("p", { class: "source" }, [
        element("small", {}, [live ? "Answers of the service itself" : "Recorded answers: nothing is sent"]),
        ...(keepable ? [link("Keep the answers for runs", "keep")] : []),
        link("Refresh", "refresh"),
        link("Begin again", "restart"),
        waiting,
      ]),
    ]),
    stepper(view),
    element("section", { class: "card", "aria-labelledby": "heading" }, [
      element("h2", { id: "heading", tabindex: "-1" }, [headingOf(view)]),
      ...(failure === undefined
        ? []
        : [
            problemOf(
              element("strong", {}, ["The app's command failed. "]),
              `${failure.kind}: ${failure.message} `,
              failureLink(failure, actions.reveal),
            ),
          ]),
      ...issues.filter(({ field }) => field === undefined).map(({ message }) => problemOf(message)),
      ...stepContent(result, searches, mapping, actions),
    ]),
  );
  keep();
}

/**
 * What a person is typing meanwhile stays as it is. At another step they begin at its heading, and after a refusal at the first
 * field that is wrong.
 *
 * @returns to be done after the page is drawn anew
 */
function keepPlace({ current }: View): () => void {
  const before = document.activeElement;
  const isNew = shownStep !== undefined && shownStep !== current.step;
  shownStep = current.step;
  const isText =
    before instanceof HTMLTextAreaElement || (before instanceof HTMLInputElement && isTyped(before));
  const typed = isText
    ? { value: before.value, start: before.selectionStart, end: before.selectionEnd }
    : undefined;
  return () => {
    if (isNew) {
      document.getElementById("heading")?.focus();
      return;
    }
    const isRefused = before instanceof HTMLElement && before.matches("button.main");
    const wrong = isRefused ? main.querySelector<HTMLElement>("[aria-invalid]") : null;
    const after = wrong ?? (before === null || before.id === "" ? null : document.getElementById(before.id));
    after?.focus();
    if (typed === undefined || !(after instanceof HTMLInputElement || after instanceof HTMLTextAreaElement))
      return;
    after.value = typed.value;
    after.setSelectionRange(typed.start, typed.end);
  };
}

function isTyped({ type }: HTMLInputElement): boolean {
  return type === "text" || type === "search";
}

/** One goes back to what is done, and on to what is next; a step behind that can't be gone to yet. */
function stepper({ steps, current }: View): HTMLElement {
  const open = steps.findIndex(({ complete }) => !complete);
  const reached = open < 0 ? steps.length : open;
  return element(
    "ol",
    { class: "stepper", "aria-label": "Steps" },
    steps.map(({ step, label }, index) => {
      const isCurrent = step === current.step;
      const isDone = index < reached && !isCurrent && step !== "ready";
      const button = element("button", { type: "button", id: `step-${step}` }, [
        element("span", { class: "mark", "aria-hidden": "true" }, [isDone ? "✓" : String(index + 1)]),
        element("span", {}, [label]),
        ...(isDone ? [element("span", { class: "hidden" }, [" (done)"])] : []),
      ]);
      if (index > reached) button.setAttribute("disabled", "");
      if (isCurrent) button.setAttribute("aria-current", "step");
      button.addEventListener("click", () => act({ kind: "go", step }));
      return element("li", { class: isCurrent ? "current" : isDone ? "done" : "" }, [button]);
    }),
  );
}

function link(text: string, kind: "restart" | "refresh" | "keep"): HTMLElement {
  const made = element("button", { type: "button", class: "link", id: kind }, [text]);
  made.addEventListener("click", () => {
    if (kind === "restart") mapping = undefined;
    editor.postMessage({ kind });
  });
  return made;
}

function act(action: SetupAction): void {
  editor.postMessage({ kind: "act", action });
}
