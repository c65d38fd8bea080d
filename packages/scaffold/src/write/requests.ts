import type { Operation } from "../description.ts";
import { type Choice, choiceName } from "../guess/candidates.ts";
import { identityOf } from "../guess/lists.ts";
import { slug, titled } from "../guess/name-words.ts";
import type { ConfigObject } from "../proposal.ts";
import { jqPath } from "../shape.ts";

/** The path of an operation with what the customer has chosen in place of its parameters. */
export function pathOf({ path }: Operation, choices: readonly Choice[]): string {
  return choices.reduce(
    (text, choice) => text.replaceAll(`{${choice.parameter}}`, `\${custom_data.${fieldId(choice)}.value}`),
    path,
  );
}

export function fieldId(choice: Choice): string {
  return slug(choiceName(choice)).replaceAll("-", "_");
}

/** A field for each choice, in the order in which they depend on each other. */
export function formFields(choices: readonly Choice[], pages: boolean): readonly ConfigObject[] {
  return choices.map((choice, index) => formField(choice, choices.slice(0, index), pages));
}

/** A dropdown whose options are the records of a list. @param above what is chosen before, which the list's path may name */
function formField(choice: Choice, above: readonly Choice[], pages: boolean): ConfigObject {
  const { operation, path, record } = choice.from;
  const { id = "id", label = id } = identityOf(record);
  return {
    id: fieldId(choice),
    label: titled(choiceName(choice)),
    type: "dropdown",
    options: {
      "!pipe": [
        {
          "!http": { method: "GET", path: pathOf(operation, above), ...(pages ? { pagination: true } : {}) },
        },
        { "!jq": `[${jqPath(path)}[] | {display: ${textOf(record, label)}, value: ${textOf(record, id)}}]` },
      ],
    },
  };
}

/** A member as text: options and accounts are compared as texts. */
export function textOf(
  record: { readonly members: ReadonlyMap<string, { readonly kind: string }> },
  name: string,
): string {
  const path = jqPath([name]);
  return record.members.get(name)?.kind === "string" ? path : `(${path} | tostring)`;
}
