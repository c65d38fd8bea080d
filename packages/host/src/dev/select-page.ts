import type { CurrentView, FieldOption, FieldView, Json, Setup } from "@configc/runtime";
import { failureView, isTold } from "./failure-view.ts";
import { type Content, html, markdown } from "./html.ts";

type Select = Extract<CurrentView, { step: "select" }>;

/**
 * The step `select`: each field is a form of its own, because the choices of later ones may depend on it. A field is shown when the
 * required ones before it are filled in.
 *
 * @param searched what was typed to find choices, by field
 */
export async function selectPage(
  setup: Setup,
  path: string,
  { fields }: Select,
  searched: ReadonlyMap<string, string>,
): Promise<Content> {
  const rows: Content[] = [];
  let open: FieldView | undefined;
  for (const field of fields) {
    if (open !== undefined) {
      rows.push(
        html`<div class="field soft">${field.label} <small>comes after “${open.label}”</small></div>`,
      );
      continue;
    }
    rows.push(await fieldForm(setup, path, field, searched.get(field.id)));
    if (field.required && field.value === undefined) open = field;
  }
  return html`<div class="card">${rows}</div>
<form method="post" action="${path}/select"><button class="main"${open === undefined ? "" : html` disabled`}>Continue</button></form>`;
}

async function fieldForm(
  setup: Setup,
  path: string,
  field: FieldView,
  search: string | undefined,
): Promise<Content> {
  const { id, type, label, required, help, value, searchable } = field;
  let control: Content;
  let problem: Content;
  try {
    control = await controlOf(setup, field, search);
  } catch (error) {
    if (!isTold(error)) throw error;
    problem = failureView(error);
  }
  const isGroup = type === "multiselect";
  const title = html`${label}${required ? html` <span class="required" title="required">*</span>` : ""}`;
  return html`<div class="field">
${searchable ? html`<form method="get" action="${path}" class="row"><div><label for="q-${id}">Find ${label}</label><input id="q-${id}" name="q.${id}" value="${search ?? ""}"></div><button>Search</button></form>` : ""}
<form method="post" action="${path}/answer">
<input type="hidden" name="field" value="${id}"><input type="hidden" name="search" value="${search ?? ""}">
${isGroup ? html`<fieldset><legend>${title}</legend>${control}</fieldset>` : html`<label for="f-${id}">${title}</label><div class="row"><div>${control}</div><button${problem === undefined ? "" : html` disabled`}>${value === undefined ? "Save" : "Change"}</button></div>`}
${isGroup ? html`<button${problem === undefined ? "" : html` disabled`}>${value === undefined ? "Save" : "Change"}</button>` : ""}
</form>
${problem === undefined ? "" : html`<div class="bad">${problem}</div>`}
${help === undefined ? "" : html`<small>${markdown(help)}</small>`}
${field.personalized ? html`<br><small>Contact fields may stand in it, such as %EMAIL% or %FIRST_NAME%.</small>` : ""}
</div>`;
}

async function controlOf(
  setup: Setup,
  { id, type, value, placeholder, hasOptions }: FieldView,
  search: string | undefined,
): Promise<Content> {
  const text = typeof value === "string" ? value : "";
  switch (type) {
    case "textarea":
      return html`<textarea id="f-${id}" name="value" placeholder="${placeholder ?? ""}">${text}</textarea>`;
    case "text": {
      const options = hasOptions ? await setup.options(id, search) : [];
      return html`<input id="f-${id}" name="value" value="${text}" placeholder="${placeholder ?? ""}" list="l-${id}">
<datalist id="l-${id}">${options.map((option) => html`<option value="${asText(option.value)}">${option.display}</option>`)}</datalist>`;
    }
    case "dropdown": {
      const options = await setup.options(id, search);
      return html`<select id="f-${id}" name="value"><option value="">${placeholder ?? "Choose …"}</option>
${options.map((option) => html`<option value="${asText(option.value)}"${isSame(option, value) ? html` selected` : ""}>${option.display}</option>`)}</select>`;
    }
    case "multiselect": {
      const options = await setup.options(id, search);
      const chosen = Array.isArray(value) ? (value as readonly Json[]) : [];
      return options.map(
        (option) =>
          html`<label class="choice"><input type="checkbox" name="value" value="${asText(option.value)}"${chosen.some((each) => isSame(option, each)) ? html` checked` : ""}>${option.display}</label>`,
      );
    }
  }
}

function isSame({ value }: FieldOption, other: Json | undefined): boolean {
  return other !== undefined && asText(value) === asText(other);
}

/** A form sends texts: values are compared as such. */
function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
