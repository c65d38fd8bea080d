import type { Operation } from "../description.ts";
import { identityOf } from "../guess/lists.ts";
import { phrase, slug, titled } from "../guess/name-words.ts";
import { type Choice, isTyped, type Need, type Source } from "../guess/needs.ts";
import type { ConfigObject, ConfigValue } from "../proposal.ts";
import { jqPath } from "../shape.ts";

/** The path of an operation with what it needs in place of its parameters. */
export function pathOf({ path }: Operation, needs: readonly Need[]): string {
  return needs
    .filter((need) => need.in === "path")
    .reduce((text, need) => text.replaceAll(`{${need.parameter}}`, () => inPath(need)), path);
}

function inPath(need: Need): string {
  return "choice" in need ? chosenValue(need.choice) : encodeURIComponent(String(need.value));
}

/** What an operation needs in its query, or in its headers, as a config writes it. */
export function sent(needs: readonly Need[], place: "query" | "header"): ConfigObject {
  return Object.fromEntries(
    needs
      .filter((need) => need.in === place)
      .map((need): [string, ConfigValue] => [
        need.parameter,
        "choice" in need ? chosenValue(need.choice) : place === "header" ? String(need.value) : need.value,
      ]),
  );
}

/** Members of `!http`, those left out that are empty. */
export function withSent(params: ConfigObject, headers: ConfigObject): ConfigObject {
  return {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}

/** The expansion of what a customer chose. */
export function chosenValue(choice: Choice): string {
  return `\${custom_data.${fieldId(choice)}.value}`;
}

export function fieldId({ name }: Choice): string {
  return slug(name).replaceAll("-", "_") || "value";
}

/** The choice that says most of what is read: the last record that is chosen. */
export function mainChoice(choices: readonly Choice[]): Choice | undefined {
  return choices.findLast(({ from }) => from !== undefined) ?? choices.at(-1);
}

/** “Select a list”, “Enter an area”. */
export function selectLabel(choice: Choice): string {
  const article = /^[aeio]/.test(choice.name) ? "an" : "a";
  return `${isTyped(choice) ? "Enter" : "Select"} ${article} ${phrase(choice.name)}`;
}

/** A field for each choice, in the order in which they depend on each other. */
export function formFields(choices: readonly Choice[], pages: boolean): readonly ConfigObject[] {
  return choices.map((choice) => formField(choice, pages));
}

function formField(choice: Choice, pages: boolean): ConfigObject {
  const { from, values, name, parameter } = choice;
  const field = { id: fieldId(choice), label: titled(name) };
  if (from !== undefined) return { ...field, type: "dropdown", options: recordsOf(from, pages) };
  if (values !== undefined)
    return {
      ...field,
      type: "dropdown",
      options: values.map((value) => ({ display: titled(value) || value, value })),
    };
  return { ...field, type: "textarea", help_text: `The API calls it \`${parameter}\`.` };
}

/** The records of a list as options. */
function recordsOf({ list, id, needs }: Source, pages: boolean): ConfigObject {
  const { operation, path, record } = list;
  const { label = id } = identityOf(record);
  return {
    "!pipe": [
      {
        "!http": {
          method: "GET",
          path: pathOf(operation, needs),
          ...withSent(sent(needs, "query"), sent(needs, "header")),
          ...(pages ? { pagination: true } : {}),
        },
      },
      { "!jq": `[${jqPath(path)}[] | {display: ${textOf(record, label)}, value: ${textOf(record, id)}}]` },
    ],
  };
}

/** A member as text: options and accounts are compared as texts. */
function textOf(
  record: { readonly members: ReadonlyMap<string, { readonly kind: string }> },
  name: string,
): string {
  const path = jqPath([name]);
  return record.members.get(name)?.kind === "string" ? path : `(${path} | tostring)`;
}
