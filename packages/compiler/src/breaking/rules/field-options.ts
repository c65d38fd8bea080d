import { type FieldSymbol, objectItems } from "../../bind/model.ts";
import { defineRule } from "../../check/rule.ts";
import { excerpt, oneOfNames } from "../../check/words.ts";
import { comparison } from "../comparison.ts";
import { match } from "../versions.ts";

const removed = defineRule<{ field: string; values: readonly string[] }>({
  id: "breaking/field-option-removed",
  severity: "warning",
  concerns: ["setups"],
  summary: "A form field doesn't offer a value any more that customers may have chosen",
  why: "What customers chose stays saved, and the commands go on reading it, though nobody can choose it any more. If the third party, or a `!switch` of the new version, doesn't know the value, the runs of these customers fail.",
  guards: ["field.options", "field_option.value", "D40"],
  message: ({ field, values }) =>
    `\`${field}\` doesn't offer ${oneOfNames(values)} any more: customers who chose ${values.length === 1 ? "it" : "one of them"} keep it, and their runs go on with it.`,
  help: () => "Go on offering the value, or make sure that every command still takes it.",
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1",
      published:
        '{"id": "mode", "label": "Mode", "type": "dropdown", "options": [{"display": "Add", "value": "add"}, {"display": "Replace", "value": "replace"}]}',
      bad: '{"id": "mode", "label": "Mode", "type": "dropdown", «"options"»: [{"display": "Add", "value": "add"}]}',
      good: '{"id": "mode", "label": "Mode", "type": "dropdown", "options": [{"display": "Replace all", "value": "replace"}, {"display": "Add", "value": "add"}]}',
    },
  ],
});

export const fieldOptionRules = comparison([removed], ({ workflows }, report) => {
  for (const { previous, current } of workflows.pairs) {
    for (const pair of match(previous.fields, current.fields, ({ id }) => id).pairs) {
      const before = offered(pair.previous);
      const now = offered(pair.current);
      const member = pair.current.node.member("options");
      // What a command offers isn't known.
      if (before === undefined || now === undefined || member === undefined) continue;
      const values = [...before].filter((value) => !now.has(value)).map((value) => excerpt(value));
      if (values.length > 0) report(removed, member.key, { field: pair.name, values });
    }
  }
});

/** The values of a static list. */
function offered({ node }: FieldSymbol): Set<string> | undefined {
  const options = node.get("options");
  if (options?.kind !== "array") return undefined;
  const values = objectItems(options).map((option) => option.get("value"));
  return new Set(
    values.flatMap((value) =>
      value === undefined || value.kind === "object" || value.kind === "array" ? [] : [`${value.value}`],
    ),
  );
}
