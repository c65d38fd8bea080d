import type { FieldSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { isKeyName } from "../value/compared-kind.ts";
import { optionsOf } from "../value/option-ids.ts";
import { renameFix } from "./edits.ts";
import { showsAnother } from "./shown-options.ts";
import { legalUsesIn, type UsedName } from "./uses.ts";

const valueShown = defineRule<{ id: string }>({
  id: "expansion/value-shown",
  severity: "warning",
  summary: "A selection is shown by the id of what was chosen",
  why: "`display` of `describe_selection` is what customers read of their choice. An id there tells them nothing: they see 8317 instead of “Spring”.",
  guards: ["describe_selection.display", "D12", "expansion.custom_data"],
  message: ({ id }) =>
    `Customers read this, but the value of \`${id}\` is an id. Its options have a label, too.`,
  because: ({ id }) => [
    `a customer chooses “Spring”, with the id 8317, in \`${id}\``,
    "the selection is shown as 8317",
  ],
  help: ({ id }) => `Write \`custom_data.${id}.display\`.`,
  examples: [
    {
      title: "As an expansion",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/display",
      bad: '{"!jq": "\\"Form ${custom_data.form.«value»}\\""}',
      good: '{"!jq": "\\"Form ${custom_data.form.display}\\""}',
      fixed: '{"!jq": "\\"Form ${custom_data.form.display}\\""}',
    },
    {
      title: "As a path",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/display",
      bad: '{"!jq": ".custom_data.form.«value»"}',
      good: '{"!jq": ".custom_data.form.display"}',
      fixed: '{"!jq": ".custom_data.form.display"}',
    },
  ],
  fixes: (finding, { document }) => renameFix(finding, document, "display"),
});

const module: RuleModule = {
  rules: [valueShown],
  checks: {
    document(model, report) {
      for (const { id, attribute } of shownValues(model)) report(valueShown, attribute, { id });
    },
  },
};
export default module;

const shownValues = derivedByPart((part, model) => {
  if (!part.commands.some(({ place }) => place.name === "describe_selection.display")) return [];
  const uses = legalUsesIn(part, model, "custom_data").filter(
    ({ command, names }) =>
      command?.place.name === "describe_selection.display" && names[1]?.text === "value",
  );
  // Where the label is shown too, the id is there on purpose.
  const shown = new Set(
    legalUsesIn(part, model, "custom_data").flatMap(({ command, names }) =>
      command?.place.name === "describe_selection.display" && names[1]?.text === "display"
        ? (names[0]?.text ?? [])
        : [],
    ),
  );
  return uses.flatMap(({ names, meanings }) => {
    const [id, attribute] = names as [UsedName, UsedName];
    const isId =
      meanings.length > 0 &&
      meanings.every(({ field, exact }) => exact && field !== undefined && isIdOf(field, model));
    return isId && !shown.has(id.text) ? [{ id: id.text, attribute }] : [];
  });
}, "saved");

/** Whether the value of a field is an id, and its label none. */
function isIdOf(field: FieldSymbol, model: Model): boolean {
  if (!showsAnother(field, model)) return false;
  const options = staticOptions(field);
  if (options.length > 0)
    return options.every(({ value, display }) => /^\d+$/.test(value) && !display.includes(value));
  const made = optionsOf(field, model);
  return (
    made.length > 0 &&
    made.every(
      ({ value, display }) => isIdName(nameOfValue(value) ?? "") && !isKeyName(nameOfValue(display) ?? ""),
    )
  );
}
