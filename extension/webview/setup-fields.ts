import type { FromSetup, ToSetup } from "../src/messages.ts";
import { element } from "./element.ts";
import { markdown } from "./markdown.ts";
import { type Failure, failureLink, problemOf } from "./setup-problem.ts";

type Result = Extract<ToSetup, { kind: "setup" }>["result"];
type Field = Extract<Result["view"]["current"], { step: "select" }>["fields"][number];
type Answer = Extract<Extract<FromSetup, { kind: "act" }>["action"], { kind: "answer" }>["value"];
type Choices = Extract<Result["choices"][string], readonly unknown[]>;

/** What a customer does in a form. */
export interface FormActions {
  answer(field: string, value: Answer, search: string): void;
  search(field: string, term: string): void;
  /** Goes to the command that failed. */
  reveal(failure: Failure): void;
}

/** Milliseconds after the last key: each search is a request. */
const SEARCH_DELAY = 300;

/**
 * A field of the form, with its label, its help and what is wrong with it.
 *
 * @param search what is typed to find its choices, if it can be searched
 */
export function fieldRow(field: Field, result: Result, search: string, actions: FormActions): HTMLElement {
  const { id, label, type, required, searchable, help, personalized, waitsFor } = field;
  const given = result.choices[id];
  const choices = typeof given === "string" ? undefined : given;
  const failure = result.choiceFailures[id];
  // What can't be filled in yet isn't asked for yet.
  const issue = waitsFor.length > 0 ? undefined : result.issues.find((each) => each.field === id)?.message;
  const notes = [
    ...(waitsFor.length === 0 ? [] : [note(`Choose ${waitsFor.map(quoted).join(" and ")} first.`)]),
    ...(searchable && choices !== undefined ? [found(choices.length, search)] : []),
    ...(choices?.length === 0 && !searchable ? [note("There is nothing to choose.")] : []),
    ...(help === undefined ? [] : [element("p", { class: "help" }, markdown(help))]),
    ...(personalized ? [note("Fields of the contact may stand in it, such as %FIRST_NAME%.")] : []),
    ...(issue === undefined ? [] : [problemOf(issue)]),
    ...(failure === undefined
      ? []
      : [problemOf(`No choices: ${failure.message} `, failureLink(failure, actions.reveal))]),
  ];
  const described = element("div", { id: `about-${id}` }, notes);
  const mark = required ? { class: "required" } : {};
  const answer = (value: Answer): void => actions.answer(id, value, search);
  const lookup = searchable && waitsFor.length === 0 ? [searchOf(field, search, actions)] : [];
  if (type === "multiselect") {
    const boxes = boxesOf(field, choices ?? [], answer);
    if (issue !== undefined)
      for (const box of boxes.querySelectorAll("input")) box.setAttribute("aria-invalid", "true");
    return element("fieldset", { class: "field", "aria-describedby": described.id }, [
      element("legend", mark, [label]),
      ...lookup,
      boxes,
      described,
    ]);
  }
  const control = type === "dropdown" ? dropdownOf(field, choices, answer) : textOf(field, answer);
  control.id = `field-${id}`;
  control.setAttribute("aria-describedby", described.id);
  if (issue !== undefined) control.setAttribute("aria-invalid", "true");
  if (required) control.setAttribute("aria-required", "true");
  return element("div", { class: "field" }, [
    element("label", { for: control.id, ...mark }, [label]),
    ...lookup,
    control,
    ...(control instanceof HTMLInputElement && choices !== undefined
      ? [suggestionsOf(control, choices)]
      : []),
    described,
  ]);
}

function quoted(text: string): string {
  return `“${text}”`;
}

function note(text: string): HTMLElement {
  return element("p", { class: "help" }, [text]);
}

function searchOf({ id, label }: Field, search: string, actions: FormActions): HTMLElement {
  const input = document.createElement("input");
  input.type = "search";
  input.id = `search-${id}`;
  input.className = "search";
  input.value = search;
  input.placeholder = "Type to search …";
  input.setAttribute("aria-label", `Search ${label}`);
  let waiting: ReturnType<typeof setTimeout> | undefined;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => actions.search(id, input.value), SEARCH_DELAY);
  });
  return input;
}

function found(count: number, search: string): HTMLElement {
  const many = count === 1 ? "1 choice" : `${count} choices`;
  const text =
    search === "" ? many : count === 0 ? `Nothing is found for “${search}”` : `${many} for “${search}”`;
  return element("p", { class: "found", role: "status" }, [text]);
}

/** What was chosen, as text by value (JSON). */
function chosenIn({ value, display }: Field): Map<string, string> {
  const values: readonly unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  const shown: readonly unknown[] = Array.isArray(display) ? display : [display];
  return new Map(values.map((each, index) => [JSON.stringify(each), String(shown[index] ?? each)]));
}

/** Texts by value (JSON). What was chosen by another search is a choice still. */
function allChoices(field: Field, choices: Choices): Map<string, string> {
  const own = choices.map(({ display, value }) => [JSON.stringify(value), display] as const);
  return new Map([...own, ...[...chosenIn(field)].filter(([key]) => !own.some(([each]) => each === key))]);
}

function dropdownOf(
  field: Field,
  choices: Choices | undefined,
  answer: (value: Answer) => void,
): HTMLElement {
  const chosen = chosenIn(field);
  const select = document.createElement("select");
  select.append(new Option(field.placeholder || "Choose …", ""));
  for (const [key, text] of allChoices(field, choices ?? []))
    select.append(new Option(text, key, false, chosen.has(key)));
  select.disabled = choices === undefined;
  select.addEventListener("change", () => answer(select.value === "" ? null : JSON.parse(select.value)));
  return select;
}

function boxesOf(field: Field, choices: Choices, answer: (value: Answer) => void): HTMLElement {
  const chosen = chosenIn(field);
  const all = [...allChoices(field, choices)];
  const list = element("div", { class: "choices" }, []);
  for (const [index, [key, text]] of all.entries()) {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.id = `field-${field.id}-${index}`;
    box.value = key;
    box.checked = chosen.has(key);
    list.append(element("label", { class: "choice" }, [box, element("span", {}, [text])]));
  }
  list.addEventListener("change", () => {
    const checked = list.querySelectorAll<HTMLInputElement>("input:checked");
    answer([...checked].map(({ value }) => JSON.parse(value)));
  });
  return list;
}

function textOf(
  { type, value, placeholder = "" }: Field,
  answer: (value: Answer) => void,
): HTMLInputElement | HTMLTextAreaElement {
  const text = document.createElement(type === "textarea" ? "textarea" : "input");
  text.placeholder = placeholder;
  text.value = typeof value === "string" ? value : "";
  text.addEventListener("change", () => answer(text.value === "" ? null : text.value));
  return text;
}

/** Choices of a text are suggestions. */
function suggestionsOf(input: HTMLInputElement, choices: Choices): HTMLElement {
  const list = element(
    "datalist",
    { id: `${input.id}-suggestions` },
    choices.map(({ display, value }) => new Option(display, String(value))),
  );
  input.setAttribute("list", list.id);
  return list;
}
