import { type Type, types } from "@configc/jq";
import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { asksForEmpty } from "../../../flow/left-out.ts";
import type { RuleModule } from "../../checks.ts";
import { fieldsOf } from "./body-fields.ts";
import { contentType, FORM } from "./form-fields.ts";

const skippedList = defineRule<{ name: string }>({
  id: "http/skipped-list",
  severity: "warning",
  summary: "A member of a request's body gets a list, or an empty text where a customer chose nothing",
  why: "The value of a multiselect is a list. With `| default`, one that was skipped is the empty text instead. A service that takes a list refuses a text, so the request fails for each customer who chose nothing.",
  guards: ["D7", "D12", "http.body"],
  message: ({ name }) => `\`${name}\` gets a list, but \`""\` from customers who choose nothing.`,
  because: ({ name }) => [
    `something is chosen: \`${name}\` is a list`,
    `nothing is chosen: \`${name}\` is \`""\``,
  ],
  help: () => 'Make it a list in an earlier `!jq`: `if . == "" then [] else . end`.',
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "tags", "label": "Tags", "type": "multiselect", "required": false, "options": [{"display": "New", "value": "new"}, {"display": "Old", "value": "old"}]}',
      },
      bad: '{"!pipe": [{"!jq": "{email, tags: ${custom_data.tags.value | default}}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.1.email}", "tags": «"${piped_content.1.tags}"»}}}]}',
      good: '{"!pipe": [{"!jq": "{email, tags: (${custom_data.tags.value | default} | if . == \\"\\" then [] else . end)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.1.email}", "tags": "${piped_content.1.tags}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [skippedList],
  checks: {
    reach: "linked",
    command: {
      "!http"(command, report, model) {
        const { argument } = command;
        // A form has texts alone, and an empty one is a list without items there.
        if (argument?.kind !== "object" || contentType(argument)?.startsWith(FORM) === true) return;
        if (!mayHaveSkipped(command, model)) return;
        const found = fieldsOf(command, model).filter(({ type }) => isListOrEmpty(type));
        if (found.length === 0 || areAllAskedFor(command, model)) return;
        for (const { name, at } of found) report(skippedList, at, { name });
      },
    },
  },
};
export default module;

function isListOrEmpty(type: Type): boolean {
  const parts = types.partsOf(type);
  const isEmpty = (part: Type): boolean => part.kind === "string" && part.value === "";
  return (
    parts.length > 1 && parts.some(isEmpty) && parts.every((part) => part.kind === "array" || isEmpty(part))
  );
}

/** Whether the workflow reads a multiselect that may be skipped: few do, and what bodies are made of takes long to tell. */
const mayHaveSkipped = ({ unit }: Command, model: Model): boolean =>
  unit?.kind === "workflow" && partOfUnit(unit, model).expansions.some(isSkippedList);

/** Whether the workflow asks of each multiselect whether it was skipped: then it may not come here with one that was. */
function areAllAskedFor({ unit }: Command, model: Model): boolean {
  if (unit?.kind !== "workflow") return true;
  const { expansions, programs } = partOfUnit(unit, model);
  return expansions
    .filter(isSkippedList)
    .every((expansion) => programs.some((program) => asksForEmpty(expansion, program)));
}

const isSkippedList = ({ root, fields, syntax }: Expansion): boolean =>
  root === "custom_data" &&
  syntax.filters[0]?.name === "default" &&
  fields.some(({ type }) => type === "multiselect");
