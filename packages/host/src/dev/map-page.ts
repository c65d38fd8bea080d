import type { CurrentView, MapOption, Mapping, MappingEntry, Setup } from "@configc/runtime";
import { type Content, html } from "../pages/html.ts";
import { required } from "../pages/layout.ts";
import { PageError } from "./site.ts";

type MapView = Extract<CurrentView, { step: "map" }>;

/**
 * The step `map`: for each target, what goes into it.
 *
 * @param tried what was chosen and refused
 */
export async function mapPage(
  setup: Setup,
  path: string,
  { source, target }: MapView,
  tried: URLSearchParams | undefined,
): Promise<Content> {
  const { sources, targets } = await setup.mapFields();
  const mapping = tried === undefined ? await setup.mapping() : undefined;
  const kept = (mapping?.entries ?? []).map((entry) => [keyOf(entry.target), choiceOf(entry)] as const);
  const chosen = new Map(tried ?? kept);
  const groups = groupsOf(targets);
  return html`<form method="post" action="${path}/map">
${groups.map(
  ([
    group,
    fields,
  ]) => html`<div class="card">${group === undefined ? "" : html`<h3>${group}</h3>`}<div class="scroll"><table>
<thead><tr><th>${target}</th><th>${source}</th></tr></thead><tbody>
${fields.map((field) => row(field, sources, chosen.get(keyOf(field))))}</tbody></table></div></div>`,
)}
<button class="main">Continue</button></form>`;
}

function row(field: MapOption, sources: readonly MapOption[], chosen: string | undefined): Content {
  const key = keyOf(field);
  const option = (value: string, label: string): Content =>
    html`<option value="${value}"${value === chosen ? html` selected` : ""}>${label}</option>`;
  const groups = groupsOf(sources);
  return html`<tr><td><label for="${key}">${field.title}${field.required ? required : ""}</label></td>
<td><select id="${key}" name="${key}"${field.required ? html` required` : ""}><option value="">Nothing</option>
${groups.map(([group, fields]) => {
  const options = fields.map((source) => option(`s${keyOf(source)}`, source.title));
  return group === undefined ? options : html`<optgroup label="${group}">${options}</optgroup>`;
})}
${field.sourceFields.length === 0 ? "" : html`<optgroup label="Always">${field.sourceFields.map(({ id, title }) => option(`v${JSON.stringify(id)}`, title))}</optgroup>`}
</select></td></tr>`;
}

/** What a form sends, as a mapping. @throws PageError for a form that isn't ours */
export function mappingOf(form: URLSearchParams): Mapping {
  const entries = [...form].flatMap(([key, choice]): MappingEntry[] => {
    if (choice === "") return [];
    const target = fieldOf(key);
    if (choice.startsWith("v")) return [{ value: parsed(choice.slice(1)) as string | number, target }];
    return [{ source: fieldOf(choice.slice(1)), target }];
  });
  return { v: 1, entries };
}

function keyOf({ group, id }: { readonly group?: string; readonly id: string | number }): string {
  return JSON.stringify(group === undefined ? [id] : [id, group]);
}

function fieldOf(key: string): { readonly group?: string; readonly id: string | number } {
  const [id, group] = parsed(key) as [unknown, unknown];
  if (typeof id !== "string" && typeof id !== "number")
    throw new PageError(400, "The form isn't one of these pages.");
  return typeof group === "string" ? { group, id } : { id };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PageError(400, "The form isn't one of these pages.");
  }
}

function choiceOf(entry: MappingEntry): string {
  return "value" in entry ? `v${JSON.stringify(entry.value)}` : `s${keyOf(entry.source)}`;
}

function groupsOf(fields: readonly MapOption[]): [string | undefined, MapOption[]][] {
  const groups = new Map<string | undefined, MapOption[]>();
  for (const field of fields) groups.set(field.group, [...(groups.get(field.group) ?? []), field]);
  return [...groups];
}
