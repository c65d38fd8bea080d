import { constantOf } from "@configc/jq/internal";
import type { FieldSymbol } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { fieldChosen } from "../../../flow/chosen.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { objectItems, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const flagOfOtherOption = defineRule<{ member: string; display: string; other: string; value: string }>({
  id: "value/flag-of-other-option",
  severity: "warning",
  summary: "A flag is set by the choice of another option than the one that has its name",
  why: "A member that says what a customer chose is true where they chose it. Set by another option, all who choose this one don't get it, and those who choose the other one do.",
  guards: ["field_option.display", "field_option.value", "D12"],
  message: ({ member, display, other }) =>
    `\`${member}\` is set where “${other}” is chosen, but “${display}” has its name.`,
  because: ({ display, other }) => [
    `a customer chooses “${display}”: it is false`,
    `a customer chooses “${other}”: it is true`,
  ],
  help: ({ value }) => `Compare with ${value}.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "days", "label": "Due in", "type": "dropdown", "options": [{"display": "Three days (express)", "value": 3}, {"display": "One week", "value": 7}]}',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, express: (${custom_data.days.value} == «7»)}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, express: (${custom_data.days.value} == 3)}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [flagOfOtherOption],
  checks: {
    // Intakes use what is chosen in workflows.
    reach: "linked",
    program(program, report) {
      if (program.diagnostics.length > 0 || !/[^!]==/.test(program.node.value)) return;
      if (!program.node.value.includes("custom_data")) return;
      for (const { key, value } of nodesOfKind(program, "Entry")) {
        const test = value === undefined ? undefined : bare(value);
        const [word, ...others] = wordsOf(nameOf(key) ?? "").filter((each) => !/^(?:is|as|with)$/.test(each));
        if (test?.kind !== "Comparison" || test.operator !== "==" || word === undefined || others.length > 0)
          continue;
        const field = fieldChosen(test.left, program);
        const asked = constantOf(test.right);
        if (field === undefined || word.length < 4) continue;
        const options = optionsOf(field);
        const [own, ...more] = options.filter(({ words }) => words.includes(word));
        const taken = options.find(({ value: each }) => each === `${asked}`);
        if (own === undefined || taken === undefined || more.length > 0 || own === taken) continue;
        report(flagOfOtherOption, partAt(program, test.right), {
          member: nameOf(key)!,
          display: own.display,
          other: taken.display,
          value: typeof asked === "string" ? `\`"${own.value}"\`` : `\`${own.value}\``,
        });
      }
    },
  },
};
export default module;

/** Options that say what they are, and none of them that they aren't something, or what another one is. */
function optionsOf({ node }: FieldSymbol) {
  const options = objectItems(node.get("options")).flatMap((option) => {
    const [value, display = ""] = [option.get("value"), textOf(option, "display")];
    return value?.kind === "string" || value?.kind === "number"
      ? [{ value: `${value.value}`, display, words: [...wordsOf(display), ...wordsOf(`${value.value}`)] }]
      : [];
  });
  return options.some(({ words }) => words.some((word) => denial.test(word))) ? [] : options;
}

const denial = /^(?:no|not|without|none|never|skip|except|but|non|than|less|instead|unlike|later|be)$/;
