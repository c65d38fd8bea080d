import type { SetupAction, SetupResult } from "@configc/language-server";
import type { FromSetup, ToSetup } from "../src/messages.ts";
import { element } from "./element.ts";
import { type FormActions, fieldRow } from "./setup-fields.ts";
import { type Mapping, mapRows } from "./setup-mapping.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromSetup): void };

type View = SetupResult["view"];
type Shown = Extract<ToSetup, { kind: "setup" }>;

const editor = acquireVsCodeApi();
const main = document.querySelector("main")!;
const waiting = element("p", { class: "waiting", role: "status" }, []);
const form: FormActions = {
  answer: (field, value, search) =>
    act({ kind: "answer", field, value, ...(search === "" ? {} : { search }) }),
  search: (field, term) => editor.postMessage({ kind: "search", field, term }),
};
/** What a person chose last, also where it was refused. */
let mapping: Mapping | undefined;

addEventListener("message", ({ data }: MessageEvent<ToSetup>) => show(data));
editor.postMessage({ kind: "ready" });

function show(message: ToSetup): void {
  if (message.kind === "waiting") {
    waiting.textContent = "Asking …";
    return;
  }
  waiting.textContent = "";
  if (message.kind === "broken")
    main.replaceChildren(element("p", { class: "problem", role: "alert" }, [message.message]), restart());
  else draw(message);
}

function draw({ result, searches, live }: Shown): void {
  const { view, issues, failure } = result;
  const keep = keepTyping();
  main.replaceChildren(
    element("header", {}, [
      element("h1", {}, [view.workflow.label === "" ? view.workflow.name : view.workflow.label]),
      element("p", { class: "source" }, [
        element("small", {}, [live ? "Answers of the service itself" : "Recorded answers: nothing is sent"]),
        restart(),
      ]),
    ]),
    stepper(view),
    ...(failure === undefined ? [] : [failed(failure)]),
    ...issues
      .filter(({ field }) => field === undefined)
      .map(({ message }) => element("p", { class: "problem", role: "alert" }, [message])),
    element("section", { class: "card", "aria-label": labelOf(view) }, content(result, searches)),
    waiting,
  );
  keep();
}

/** What a person is typing meanwhile stays as it is. @returns puts the focus, and what is typed, where they were */
function keepTyping(): () => void {
  const before = document.activeElement;
  if (before === null || before.id === "") return () => undefined;
  const isText = before instanceof HTMLInputElement || before instanceof HTMLTextAreaElement;
  const typed = isText
    ? { value: before.value, start: before.selectionStart, end: before.selectionEnd }
    : undefined;
  return () => {
    const after = document.getElementById(before.id);
    after?.focus();
    if (typed === undefined || !(after instanceof HTMLInputElement || after instanceof HTMLTextAreaElement))
      return;
    after.value = typed.value;
    after.setSelectionRange(typed.start, typed.end);
  };
}

function labelOf({ current }: View): string {
  return "label" in current ? current.label : "Ready";
}

function stepper({ steps, current }: View): HTMLElement {
  return element(
    "ol",
    { class: "stepper", "aria-label": "Steps" },
    steps.map(({ step, label, complete }, index) => {
      const isCurrent = step === current.step;
      const mark = complete && !isCurrent ? "✓" : String(index + 1);
      const button = element("button", { type: "button", id: `step-${step}` }, [
        element("span", { class: "mark", "aria-hidden": "true" }, [mark]),
        label,
      ]);
      button.addEventListener("click", () => act({ kind: "go", step }));
      const item = element("li", { class: `${complete ? "complete" : ""} ${isCurrent ? "current" : ""}` }, [
        button,
      ]);
      if (isCurrent) button.setAttribute("aria-current", "step");
      return item;
    }),
  );
}

function failed({ kind, message, range }: NonNullable<SetupResult["failure"]>): HTMLElement {
  const text = element("p", { class: "problem", role: "alert" }, [
    element("strong", {}, ["The app's command failed. "]),
    `${kind}: ${message} `,
  ]);
  if (range === undefined) return text;
  const link = element("button", { type: "button", class: "link" }, ["Go to the command"]);
  link.addEventListener("click", () => editor.postMessage({ kind: "reveal", line: range.start.line }));
  text.append(link);
  return text;
}

function content(result: SetupResult, searches: Shown["searches"]): readonly (HTMLElement | string)[] {
  const { current } = result.view;
  switch (current.step) {
    case "connect":
      return [
        element("h2", {}, [current.label]),
        ...help(current.help),
        element("p", {}, [
          current.account === undefined ? "No account is connected yet." : `Connected: ${current.account}`,
        ]),
        primary(current.auth === undefined ? "Go on" : `Connect ${current.auth}`, { kind: "connect" }),
      ];
    case "select":
      return [
        element("h2", {}, [current.label]),
        ...current.fields.map((field) => fieldRow(field, result, searches[field.id] ?? "", form)),
        primary("Next", { kind: "select" }),
      ];
    case "map":
      return mapped(current, result);
    case "schedule":
      return [
        element("h2", {}, [current.label]),
        element("p", {}, [current.description]),
        ...current.options.map(({ label, type }) => primary(label, { kind: "schedule", option: type })),
      ];
    case "review_events":
    case "review_objects":
      return [
        element("h2", {}, [current.header ?? current.label]),
        ...help(current.description),
        primary("Next", { kind: "review" }),
      ];
    case "ready":
      return [
        element("h2", {}, ["Ready to be activated"]),
        ...(current.account === undefined ? [] : [element("p", {}, [`Account: ${current.account}`])]),
        ...(current.selection === undefined ? [] : [element("p", {}, [`Selection: ${current.selection}`])]),
      ];
  }
}

function mapped(
  current: Extract<View["current"], { step: "map" }>,
  { mapFields, choices, issues }: SetupResult,
): readonly HTMLElement[] {
  const heading = element("h2", {}, [current.label]);
  if (mapFields === undefined)
    return [heading, element("p", { class: "problem", role: "alert" }, [String(choices["map"] ?? "")])];
  const { rows, read } = mapRows(current, mapFields, issues, mapping ?? current.mapping);
  const next = button("Next", () => {
    mapping = read();
    act({ kind: "map", mapping });
  });
  return [heading, ...rows, next];
}

/** Help is Markdown; here its text does. */
function help(text: string | undefined): HTMLElement[] {
  return text === undefined ? [] : [element("p", { class: "help" }, [text])];
}

function primary(label: string, action: SetupAction): HTMLElement {
  return button(label, () => act(action));
}

function button(label: string, press: () => void): HTMLElement {
  const made = element("button", { type: "button", class: "main", id: `do-${label}` }, [label]);
  made.addEventListener("click", press);
  return made;
}

function restart(): HTMLElement {
  const made = element("button", { type: "button", class: "link", id: "restart" }, ["Begin again"]);
  made.addEventListener("click", () => {
    mapping = undefined;
    editor.postMessage({ kind: "restart" });
  });
  return made;
}

function act(action: SetupAction): void {
  editor.postMessage({ kind: "act", action });
}
