import { types } from "@configc/jq";
import { itemType, memberType } from "@configc/jq/internal";
import type { FieldSymbol } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { excerpt, oneOfNames } from "../../check/message-text.ts";
import { defineRule } from "../../findings/rule.ts";
import { flowOf } from "../../flow/flow.ts";
import { objectItems } from "../../parse/syntax-tree.ts";
import { comparison } from "../comparison.ts";
import { match } from "../versions.ts";

const removed = defineRule<{ field: string; values: readonly string[] }>({
  id: "breaking/field-option-removed",
  severity: "warning",
  concerns: ["setups"],
  summary: "A form field no longer offers a value that customers may have chosen",
  why: "What customers chose stays saved, and commands keep reading it, but nobody can choose it any more. If the service or a `!switch` of the new version doesn't know the value, the runs of these customers fail.",
  guards: ["field.options", "field_option.value", "D40"],
  message: ({ field, values }) =>
    `\`${field}\` no longer offers ${oneOfNames(values)}. Customers who chose ${values.length === 1 ? "it" : "one of them"} keep it, and their runs still use it.`,
  help: () => "Keep the option, or make sure that every command still accepts its value.",
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

export const fieldOptionRules = comparison([removed], ({ workflows, previous, current }, report) => {
  for (const workflow of workflows.pairs) {
    for (const pair of match(workflow.previous.fields, workflow.current.fields, ({ id }) => id).pairs) {
      const before = offered(pair.previous, previous);
      const now = offered(pair.current, current);
      const member = pair.current.node.member("options");
      // What a request finds isn't known.
      if (before === undefined || now === undefined || member === undefined) continue;
      const texts = new Set(now.values());
      const values = [...before]
        .filter(([value]) => !now.has(value))
        // `1` and `"1"` are two values that look alike.
        .map(([value, text]) => excerpt(texts.has(text) ? value : text));
      if (values.length > 0) report(removed, member.key, { field: pair.name, values });
    }
  }
});

/** The values of a static list, and those that a command gives if all of them are constants: as JSON, and as texts. */
function offered({ node }: FieldSymbol, model: Model): Map<string, string> | undefined {
  const options = node.get("options");
  if (options?.kind === "object") {
    const flow = flowOf(model);
    const command = flow.commandAt(options);
    const value = memberType(itemType(command === undefined ? types.unknown : flow.output(command)), "value");
    const parts = types.partsOf(value);
    return parts.length > 0 && parts.every((part) => types.isUnit(part) && part.kind !== "null")
      ? texts(parts.flatMap((part) => ("value" in part ? [part.value] : [])))
      : undefined;
  }
  if (options?.kind !== "array") return undefined;
  const values = objectItems(options).map((option) => option.get("value"));
  return texts(
    values.flatMap((value) =>
      value === undefined || value.kind === "object" || value.kind === "array" ? [] : [value.value],
    ),
  );
}

function texts(values: readonly unknown[]): Map<string, string> {
  return new Map(values.map((value) => [JSON.stringify(value), `${value}`]));
}
