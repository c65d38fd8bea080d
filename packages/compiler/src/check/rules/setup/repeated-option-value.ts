import { defineRule } from "../../../findings/rule.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { removeOption } from "./remove-option.ts";

const repeatedOptionValue = defineRule<{ value: string }>({
  id: "setup/repeated-option-value",
  severity: "warning",
  summary: "Two options of a form field have the same value",
  why: "Only the `value` of the chosen option is saved. If two options have the same value, the app can't tell which one the customer chose, and the form later shows the first.",
  guards: ["field.options", "field_option.value"],
  message: ({ value }) => `Another option of this field already has the value \`${value}\`.`,
  because: ({ value }) => [
    `a customer chooses the second option: \`${value}\` is saved`,
    `\`${value}\` is read as the first one`,
  ],
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options",
      bad: '[{"display": "News", "value": "a"}, {"display": "Offers", "value": «"a"»}]',
      good: '[{"display": "News", "value": "a"}, {"display": "Offers", "value": "b"}]',
      fixed: '[{"display": "News", "value": "a"}]',
    },
  ],
  fixes: ({ at }, { document }) => removeOption(document, at),
});

const module: RuleModule = {
  rules: [repeatedOptionValue],
  checks: {
    field({ node }, report) {
      const options = node.get("options");
      if (options?.kind !== "array") return;
      const seen = new Map<unknown, JsonNode>();
      for (const item of objectItems(options)) {
        const value = item.get("value");
        if (value === undefined || value.kind === "object" || value.kind === "array") continue;
        // `1` and `"1"` are saved as different values.
        const first = seen.get(value.value);
        if (first === undefined) seen.set(value.value, value);
        else {
          const related = [{ message: "the other option", at: first }];
          report(repeatedOptionValue, value, { value: excerpt(`${value.value}`) }, related);
        }
      }
    },
  },
};
export default module;
