import { defineRule } from "../../../findings/rule.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { legalUsesIn, type RootUse, type UsedName } from "../expansion/uses.ts";

const otherSelection = defineRule<{ shown: string; kept: string }>({
  id: "setup/other-selection",
  severity: "warning",
  summary: "A selection is shown by one field and identified by another",
  why: "`resource_id` says which resource a customer chose, and `display` how that choice is called. Of two fields, one of the two is wrong: customers see another choice than the one that counts, or two selections are taken for the same one.",
  guards: ["describe_selection.display", "describe_selection.resource_id"],
  message: ({ shown, kept }) => `The selection is identified by \`${kept}\`, and shown by \`${shown}\`.`,
  because: ({ shown, kept }) => [
    `\`resource_id\` has what was chosen in \`${kept}\``,
    `\`display\` has what was chosen in \`${shown}\``,
  ],
  help: ({ kept }) =>
    `Show what was chosen in \`${kept}\`, or identify the selection by the field that is shown.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/display",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Language", "id": "language", "type": "dropdown", "options": {"!jq": "[{display: \\"English\\", value: \\"en\\"}, {display: \\"French\\", value: \\"fr\\"}]"}}',
        "/workflows/0/data_pipeline/source":
          '{"!jq": "if .language != \\"${custom_data.language.value}\\" then null else {email: .email, first_name: .first_name} end"}',
      },
      bad: '{"!jq": "\\"${custom_data.«language».display}\\""}',
      good: '{"!jq": "\\"${custom_data.form.display}\\""}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherSelection],
  checks: {
    document(model, report) {
      for (const { shown, kept, at } of otherSelections(model)) report(otherSelection, at, { shown, kept });
    },
  },
};
export default module;

const otherSelections = derivedByPart((part, model) => {
  const usesAt = (name: string): readonly RootUse[] =>
    legalUsesIn(part, model, "custom_data").filter(
      ({ command }) => command?.place.name === `describe_selection.${name}`,
    );
  if (!part.commands.some(({ place }) => place.name === "describe_selection.display")) return [];
  const labels = usesAt("display");
  // A `value` may decide between texts. What is put together of several fields isn't followed.
  if (!labels.every(({ names }) => names[1]?.text === "display")) return [];
  const [shown, kept] = [onlyName(labels), onlyName(usesAt("resource_id"))];
  return shown === undefined || kept === undefined || shown.text === kept.text
    ? []
    : [{ shown: shown.text, kept: kept.text, at: shown }];
}, "saved");

/** The one field that is read. */
function onlyName(uses: readonly RootUse[]): UsedName | undefined {
  const [first] = uses;
  const name = first?.names[0];
  const isOne = uses.every(
    ({ names, meanings }) => names[0]?.text === name?.text && meanings.every(({ exact }) => exact),
  );
  return isOne ? name : undefined;
}
