import type { CurrentView, FieldOption, FieldView, Json, Setup } from "@configc/runtime";
import { type Content, html, markdown } from "../pages/html.ts";
import { required } from "../pages/layout.ts";
import { failureView, isTold } from "./failure-view.ts";

type Select = Extract<CurrentView, { step: "select" }>;

/** Names of the form's entries. */
export const entry = {
  /** Ids of the fields that the form has: boxes that aren't ticked are not sent. */
  shown: "shown",
  value: (id: string): string => `value.${id}`,
  /** What is to be searched for next. */
  search: (id: string): string => `search.${id}`,
  /** The search that the choices were found by. */
  found: (id: string): string => `found.${id}`,
} as const;

/**
 * The step `select`: one form, so that nothing is lost that was typed into another field. A field whose choices depend on others is
 * shown when these are answered.
 *
 * @param sent what was searched for, by the address or a form that was refused
 * @param tried the form that was refused: its values stand there again
 */
export async function selectPage(
  setup: Setup,
  path: string,
  { fields }: Select,
  sent: URLSearchParams,
  tried: URLSearchParams | undefined,
): Promise<Content> {
  const awaited = new Set(fields.flatMap(({ dependsOn }) => dependsOn));
  const rows: Content[] = [];
  for (const field of fields) {
    if (field.waitsFor.length > 0) rows.push(waitingField(field));
    else {
      const shown = tried?.getAll(entry.shown).includes(field.id);
      const texts = shown ? tried?.getAll(entry.value(field.id)) : undefined;
      const search = sent.get((shown ? entry.found : entry.search)(field.id)) ?? "";
      rows.push(await fieldRow(setup, field, texts ?? textsOf(field.value), search, awaited.has(field.id)));
    }
  }
  return html`<form method="post" action="${path}/select"><div class="card">${rows}</div>
<button class="main">Continue</button></form>`;
}

function waitingField({ label, waitsFor }: FieldView): Content {
  const first = waitsFor.map((each) => `“${each}”`).join(" and ");
  return html`<div class="field soft">${label} <small>can be chosen after ${first}</small></div>`;
}

/** @param isAwaited whether the choices of others depend on it */
async function fieldRow(
  setup: Setup,
  field: FieldView,
  texts: readonly string[],
  search: string,
  isAwaited: boolean,
): Promise<Content> {
  const { id, type, label, help, personalized, searchable, hasOptions } = field;
  let options: readonly FieldOption[] = [];
  let problem: Content;
  try {
    if (hasOptions) options = await setup.options(id, search);
  } catch (error) {
    if (!isTold(error)) throw error;
    problem = html`<div class="bad" role="alert">${failureView(error)}</div>`;
  }
  if (searchable || problem !== undefined) options = withChosen(options, field);
  const title = html`${label}${field.required ? required : ""}`;
  const save = isAwaited
    ? html`<button name="then" value="stay" formnovalidate aria-label="Save ${label}">Save</button>`
    : "";
  return html`<div class="field"><input type="hidden" name="${entry.shown}" value="${id}">
${
  type === "multiselect"
    ? html`<fieldset><legend>${title}</legend>${searchable ? searchRow(field, search) : ""}<div class="choices">${boxes(field, options, texts)}</div></fieldset>${save}`
    : html`<label for="f-${id}">${title}</label>${searchable ? searchRow(field, search) : ""}<div class="row"><div>${control(field, options, texts[0] ?? "")}</div>${save}</div>`
}
${problem}
${help === undefined ? "" : html`<small>${markdown(help)}</small>`}
${personalized ? html`<small>Contact fields may stand in it, such as %EMAIL% or %FIRST_NAME%.</small>` : ""}
</div>`;
}

function searchRow({ id, label }: FieldView, search: string): Content {
  return html`<input type="hidden" name="${entry.found(id)}" value="${search}"><div class="row search"><div><input type="search" id="q-${id}" name="${entry.search(id)}" value="${search}" placeholder="Part of a name" aria-label="Search ${label}"></div>
<button name="then" value="stay" formnovalidate aria-label="Search ${label}">Search</button></div>`;
}

function control(
  { id, type, placeholder, required: isRequired }: FieldView,
  options: readonly FieldOption[],
  text: string,
): Content {
  const attributes = html`id="f-${id}" name="${entry.value(id)}"${isRequired ? html` required` : ""}`;
  if (type === "dropdown")
    return html`<select ${attributes}><option value="">${placeholder ?? "Choose …"}</option>
${options.map(({ value, display }) => html`<option value="${asText(value)}"${asText(value) === text ? html` selected` : ""}>${display}</option>`)}</select>`;
  if (type === "textarea")
    return html`<textarea ${attributes} placeholder="${placeholder}">
${text}</textarea>`;
  const suggestions = options.map(
    ({ value, display }) => html`<option value="${asText(value)}">${display}</option>`,
  );
  return html`<input ${attributes} value="${text}" placeholder="${placeholder}" list="l-${id}"><datalist id="l-${id}">${suggestions}</datalist>`;
}

function boxes({ id }: FieldView, options: readonly FieldOption[], texts: readonly string[]): Content {
  if (options.length === 0) return html`<p class="soft">There is nothing to choose from.</p>`;
  return options.map(
    ({ value, display }) =>
      html`<label class="choice"><input type="checkbox" name="${entry.value(id)}" value="${asText(value)}"${texts.includes(asText(value)) ? html` checked` : ""}>${display}</label>`,
  );
}

/** What is chosen stays among the choices, whatever is searched for, and if the service gives none. */
function withChosen(options: readonly FieldOption[], { value, display }: FieldView): FieldOption[] {
  const displays = listOf(display);
  const chosen = listOf(value).map((each, index) => ({
    value: each,
    display: asText(displays[index] ?? each),
  }));
  const known = new Set(options.map((option) => asText(option.value)));
  return [...chosen.filter((option) => !known.has(asText(option.value))), ...options];
}

/** The texts by which a form sends a field's answer. */
export function textsOf(value: Json | undefined): string[] {
  return listOf(value).map(asText);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

/** A form sends texts: values are compared as such. */
function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
