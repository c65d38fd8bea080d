import type { SetupAction, SetupResult } from "@configc/language-server";
import { element } from "./element.ts";
import { markdown } from "./markdown.ts";
import { type FormActions, fieldRow } from "./setup-fields.ts";
import { type Mapping, mapRows } from "./setup-mapping.ts";
import { failureLink, problemOf } from "./setup-problem.ts";

type View = SetupResult["view"];
type Current<Step extends View["current"]["step"]> = Extract<View["current"], { step: Step }>;
type Content = readonly (HTMLElement | string)[];

/** What a customer does. */
export interface StepActions extends FormActions {
  act(action: SetupAction): void;
  map(mapping: Mapping): void;
}

/**
 * What the step on show asks for.
 *
 * @param searches what is typed into search fields, by their id
 * @param mapping what was chosen last, also where it was refused
 */
export function stepContent(
  result: SetupResult,
  searches: Readonly<Record<string, string>>,
  mapping: Mapping | undefined,
  actions: StepActions,
): Content {
  const { current, steps } = result.view;
  switch (current.step) {
    case "connect":
      return connect(current, steps, actions);
    case "select":
      return [
        ...current.fields.map((field) => fieldRow(field, result, searches[field.id] ?? "", actions)),
        next(actions, { kind: "select" }),
      ];
    case "map":
      return mapped(current, result, mapping, actions);
    case "schedule":
      return schedule(current, actions);
    case "review_events":
    case "review_objects":
      return [...help(current.description), next(actions, { kind: "review" })];
    case "ready":
      return ready(current);
  }
}

/** @returns what stands above the step */
export function headingOf({ current }: View): string {
  if (current.step === "ready") return "Ready to be activated";
  return ("header" in current ? current.header : undefined) ?? current.label;
}

function connect(
  { help: text, auth, account }: Current<"connect">,
  steps: View["steps"],
  actions: StepActions,
) {
  const [own, after] = steps;
  const isConnected = own?.complete === true;
  const connecting = { kind: "connect" } as const;
  return [
    ...help(text),
    element("p", {}, [
      isConnected
        ? `Connected${account === undefined ? "" : `: ${account}`}`
        : "No account is connected yet.",
    ]),
    ...(isConnected && after !== undefined
      ? [
          next(actions, { kind: "go", step: after.step }),
          button("Connect again", "action", () => actions.act(connecting)),
        ]
      : [button(auth === undefined ? "Next" : `Connect ${auth}`, "main", () => actions.act(connecting))]),
  ];
}

function mapped(
  current: Current<"map">,
  { mapFields, choiceFailures, issues }: SetupResult,
  mapping: Mapping | undefined,
  actions: StepActions,
): Content {
  const { map: failure } = choiceFailures;
  if (mapFields === undefined)
    return failure === undefined
      ? []
      : [problemOf(`No fields to map: ${failure.message} `, failureLink(failure, actions.reveal))];
  const { rows, read } = mapRows(current, mapFields, issues, mapping ?? current.mapping);
  return [...rows, button("Next", "main", () => actions.map(read()))];
}

function schedule(
  { description, options, frequency, chosen }: Current<"schedule">,
  actions: StepActions,
): Content {
  const radios = options.map(({ label, type }, index) => {
    const radio = document.createElement("input");
    Object.assign(radio, { type: "radio", name: "schedule", id: `schedule-${type}`, value: type });
    radio.checked = chosen === undefined ? index === 0 : chosen === type;
    const every = type === "recurring" ? [element("small", {}, [` every ${frequency / 60} minutes`])] : [];
    return {
      type,
      radio,
      row: element("label", { class: "choice" }, [radio, element("span", {}, [label, ...every])]),
    };
  });
  return [
    element("fieldset", { class: "field" }, [
      element("legend", { class: "help" }, [description]),
      ...radios.map(({ row }) => row),
    ]),
    button("Next", "main", () => {
      const option = radios.find(({ radio }) => radio.checked)?.type;
      if (option !== undefined) actions.act({ kind: "schedule", option });
    }),
  ];
}

function ready({ account, selection }: Current<"ready">): Content {
  const facts = [
    ["Account", account],
    ["Selection", selection],
  ] as const;
  return [
    element(
      "dl",
      {},
      facts.flatMap(([name, value]) =>
        value === undefined ? [] : [element("dt", {}, [name]), element("dd", {}, [value])],
      ),
    ),
    element("p", { class: "help" }, [
      "A customer activates the workflow here. The preview ends before that.",
    ]),
  ];
}

function help(text: string | undefined): HTMLElement[] {
  return text === undefined ? [] : [element("p", { class: "help" }, markdown(text))];
}

function next({ act }: StepActions, action: SetupAction): HTMLElement {
  return button("Next", "main", () => act(action));
}

function button(label: string, look: "main" | "action", press: () => void): HTMLElement {
  const made = element("button", { type: "button", class: look, id: `do-${label}` }, [label]);
  made.addEventListener("click", press);
  return made;
}
