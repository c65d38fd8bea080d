import type { FromSetup, ToSetup } from "../src/messages.ts";
import { element } from "./element.ts";

type Result = Extract<ToSetup, { kind: "setup" }>["result"];
type Field = Extract<Result["view"]["current"], { step: "select" }>["fields"][number];
type Answer = Extract<Extract<FromSetup, { kind: "act" }>["action"], { kind: "answer" }>["value"];
type Choices = Extract<Result["choices"][string], readonly unknown[]>;

/** What a customer does in a form. */
export interface FormActions {
  answer(field: string, value: Answer, search: string): void;
  search(field: string, term: string): void;
}

/** Milliseconds after the last key: each search is a request. */
const SEARCH_DELAY = 300;

/**
 * A field of the form, with its label, its help and what is wrong with it.
 *
 * @param search what is typed to find its choices, if it can be searched
 */
export function fieldRow(
  field: Field,
  { choices, issues }: Result,
  search: string,
  actions: FormActions,
): HTMLElement {
  const { id, label, required, searchable, help } = field;
  const given = choices[id];
  const problem = typeof given === "string" ? given : issues.find((issue) => issue.field === id)?.message;
  const control = controlOf(field, typeof given === "string" ? undefined : given, (value) =>
    actions.answer(id, value, search),
  );
  control.id = `field-${id}`;
  if (problem !== undefined) control.setAttribute("aria-describedby", `problem-${id}`);
  return element("div", { class: "field" }, [
    element("label", { for: control.id }, [
      label,
      ...(required ? [] : [element("small", {}, [" optional"])]),
    ]),
    ...(searchable ? [searchOf(field, search, actions)] : []),
    control,
    ...(searchable && typeof given === "object" ? [found(given.length, search)] : []),
    ...(help === undefined ? [] : [element("p", { class: "help" }, [help])]),
    ...(problem === undefined ? [] : [element("p", { class: "problem", id: `problem-${id}` }, [problem])]),
  ]);
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

function controlOf(field: Field, choices: Choices | undefined, answer: (value: Answer) => void): HTMLElement {
  return field.type === "dropdown" || field.type === "multiselect"
    ? choiceOf(field, choices, answer)
    : textOf(field, answer);
}

function choiceOf(
  { type, value, display, placeholder = "" }: Field,
  choices: Choices | undefined,
  answer: (value: Answer) => void,
): HTMLElement {
  const values: readonly unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  const shown: readonly unknown[] = Array.isArray(display) ? display : [display];
  const chosen = new Map(values.map((each, index) => [JSON.stringify(each), String(shown[index] ?? each)]));
  const select = document.createElement("select");
  select.multiple = type === "multiselect";
  if (!select.multiple) select.append(new Option(placeholder === "" ? "Choose …" : placeholder, ""));
  for (const { display: text, value: own } of choices ?? []) {
    const key = JSON.stringify(own);
    select.append(new Option(text, key, false, chosen.has(key)));
    chosen.delete(key);
  }
  // What was chosen by another search is chosen still.
  for (const [key, text] of chosen) select.append(new Option(text, key, false, true));
  select.disabled = choices === undefined;
  select.addEventListener("change", () => {
    const next = [...select.selectedOptions].flatMap((option): Exclude<Answer, undefined>[] =>
      option.value === "" ? [] : [JSON.parse(option.value)],
    );
    answer(select.multiple ? next : (next[0] ?? null));
  });
  return select;
}

function textOf({ type, value, placeholder = "" }: Field, answer: (value: Answer) => void): HTMLElement {
  const text = type === "textarea" ? document.createElement("textarea") : document.createElement("input");
  text.placeholder = placeholder;
  text.value = typeof value === "string" ? value : "";
  text.addEventListener("change", () => answer(text.value === "" ? null : text.value));
  return text;
}
