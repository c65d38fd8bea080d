import type { SetupAction, SetupResult } from "@configc/language-server";
import type { FromSetup, ToSetup } from "../src/messages.ts";
import { element } from "./element.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromSetup): void };

type View = SetupResult["view"];
type Current<Step extends View["current"]["step"]> = Extract<View["current"], { step: Step }>;
type Field = Current<"select">["fields"][number];
type MapOption = NonNullable<SetupResult["mapFields"]>["targets"][number];

type Entry = Extract<SetupAction, { kind: "map" }>["mapping"]["entries"][number];

const editor = acquireVsCodeApi();
const main = document.querySelector("main")!;
const waiting = element("p", { class: "waiting", role: "status" }, []);

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

function draw({ result, live }: Extract<ToSetup, { kind: "setup" }>): void {
  const { view, issues, failure } = result;
  const focused = document.activeElement?.id ?? "";
  main.replaceChildren(
    element("header", {}, [
      element("h1", {}, [view.workflow.label === "" ? view.workflow.name : view.workflow.label]),
      element("small", {}, [live ? "answers of the service itself" : "recorded answers"]),
      restart(),
    ]),
    stepper(view),
    ...(failure === undefined ? [] : [failed(failure)]),
    ...issues
      .filter(({ field }) => field === undefined)
      .map(({ message }) => element("p", { class: "problem", role: "alert" }, [message])),
    element("section", { class: "card", "aria-label": labelOf(view) }, content(result)),
    waiting,
  );
  if (focused !== "") document.getElementById(focused)?.focus();
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

function content(result: SetupResult): (HTMLElement | string)[] {
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
        ...current.fields.map((field) => fieldRow(field, result)),
        primary("Next", { kind: "select" }),
      ];
    case "map":
      return mapping(current, result);
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

/** Help is Markdown; here its text does. */
function help(text: string | undefined): HTMLElement[] {
  return text === undefined ? [] : [element("p", { class: "help" }, [text])];
}

function fieldRow(field: Field, { choices, issues }: SetupResult): HTMLElement {
  const { id, label, required } = field;
  const given = choices[id];
  const problem = typeof given === "string" ? given : issues.find((issue) => issue.field === id)?.message;
  const control = controlOf(field, typeof given === "string" ? undefined : given);
  control.id = `field-${id}`;
  if (problem !== undefined) control.setAttribute("aria-describedby", `problem-${id}`);
  return element("div", { class: "field" }, [
    element("label", { for: control.id }, [
      label,
      ...(required ? [] : [element("small", {}, [" optional"])]),
    ]),
    control,
    ...help(field.help),
    ...(problem === undefined ? [] : [element("p", { class: "problem", id: `problem-${id}` }, [problem])]),
  ]);
}

function controlOf(
  field: Field,
  choices: Extract<SetupResult["choices"][string], readonly unknown[]> | undefined,
) {
  const { id, type, value, placeholder = "" } = field;
  const answer = (next: Extract<SetupAction, { kind: "answer" }>["value"]): void =>
    act({ kind: "answer", field: id, value: next });
  if (type === "dropdown" || type === "multiselect") {
    const chosen = new Set((Array.isArray(value) ? value : [value]).map((each) => JSON.stringify(each)));
    const select = document.createElement("select");
    select.multiple = type === "multiselect";
    if (!select.multiple) select.append(new Option(placeholder === "" ? "Choose …" : placeholder, ""));
    for (const { display, value: own } of choices ?? [])
      select.append(new Option(display, JSON.stringify(own), false, chosen.has(JSON.stringify(own))));
    select.disabled = choices === undefined;
    select.addEventListener("change", () => {
      const values = [...select.selectedOptions].flatMap((option) =>
        option.value === "" ? [] : [JSON.parse(option.value)],
      );
      answer(select.multiple ? values : (values[0] ?? null));
    });
    return select;
  }
  const text = type === "textarea" ? document.createElement("textarea") : document.createElement("input");
  text.placeholder = placeholder;
  text.value = typeof value === "string" ? value : "";
  text.addEventListener("change", () => answer(text.value === "" ? null : text.value));
  return text;
}

/** A row for each target: what goes into it. */
function mapping(current: Current<"map">, { mapFields, choices, issues }: SetupResult): HTMLElement[] {
  const heading = element("h2", {}, [current.label]);
  if (mapFields === undefined)
    return [heading, element("p", { class: "problem", role: "alert" }, [String(choices["map"] ?? "")])];
  const rows = mapFields.targets.map((target, index) => {
    const select = document.createElement("select");
    select.id = `target-${index}`;
    select.append(new Option("–", ""));
    mapFields.sources.forEach((source, at) => {
      select.append(new Option(titled(source), `s${at}`, false, isMapped(current, source, target)));
    });
    target.sourceFields.forEach(({ title }, at) => {
      select.append(new Option(`“${title}”`, `v${at}`));
    });
    const problem = issues.find(({ field }) => field === String(target.id))?.message;
    const row = element("div", { class: "field row" }, [
      element("label", { for: select.id }, [titled(target), ...(target.required ? [" *"] : [])]),
      select,
      ...(problem === undefined ? [] : [element("p", { class: "problem" }, [problem])]),
    ]);
    return { row, select, target };
  });
  const next = button("Next", () => {
    const entries = rows.flatMap<Entry>(({ select, target }) => {
      const to = fieldOf(target);
      const at = Number(select.value.slice(1));
      const fixed = target.sourceFields[at];
      if (select.value.startsWith("v") && fixed !== undefined) return [{ value: fixed.id, target: to }];
      const source = mapFields.sources[at];
      return select.value.startsWith("s") && source !== undefined
        ? [{ source: fieldOf(source), target: to }]
        : [];
    });
    act({ kind: "map", mapping: { v: 1, entries } });
  });
  return [
    heading,
    element("div", { class: "field row sides" }, [
      element("strong", {}, [current.target]),
      element("strong", {}, [current.source]),
    ]),
    ...rows.map(({ row }) => row),
    next,
  ];
}

function isMapped({ mapping: saved }: Current<"map">, source: MapOption, target: MapOption): boolean {
  const same = (one: { id: string | number; group?: string }, other: MapOption): boolean =>
    one.id === other.id && one.group === other.group;
  return (saved?.entries ?? []).some(
    (entry) => "source" in entry && same(entry.source, source) && same(entry.target, target),
  );
}

function titled({ title, group }: MapOption): string {
  return group === undefined ? title : `${group}: ${title}`;
}

function fieldOf({ id, group }: MapOption) {
  return { id, ...(group === undefined ? {} : { group }) };
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
  made.addEventListener("click", () => editor.postMessage({ kind: "restart" }));
  return made;
}

function act(action: SetupAction): void {
  editor.postMessage({ kind: "act", action });
}
