import type { Expression } from "@configc/jq";
import type { Expansion, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { renameFix } from "./edits.ts";
import { hasIds, showsNames } from "./shown-options.ts";

const labelAsNumber = defineRule<{ id: string; label: string }>({
  id: "expansion/label-as-number",
  severity: "warning",
  summary: "The label of an option is taken for a number",
  why: "Customers read “A week” where the value is 7. `tonumber` fails with the label, so nothing is sent for anybody who chose it.",
  guards: ["D12", "D23", "expansion.custom_data"],
  message: ({ id, label }) => `\`tonumber\` gets the label of an option of \`${id}\`, such as ${label}.`,
  because: ({ label }) => [`a customer chooses ${label}`, "`tonumber` fails with it"],
  help: ({ id }) => `Write \`custom_data.${id}.value\`.`,
  examples: [
    {
      title: "Options in the document",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Days", "id": "days", "type": "dropdown", "options": [{"display": "A week", "value": "7"}, {"display": "A month", "value": "30"}]}',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, list: ${custom_data.list.value}, days: (${custom_data.days.«display»} | tonumber)}"}, {"!http": {"method": "POST", "path": "/subscribers", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, list: ${custom_data.list.value}, days: (${custom_data.days.value} | tonumber)}"}, {"!http": {"method": "POST", "path": "/subscribers", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email, list: ${custom_data.list.value}, days: (${custom_data.days.value} | tonumber)}"}, {"!http": {"method": "POST", "path": "/subscribers", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "Options of a list",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: .title, value: (.id | tostring)}]"}]}',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, list: (${custom_data.list.«display»} | tonumber)}"}, {"!http": {"method": "POST", "path": "/subscribers", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, list: (${custom_data.list.value} | tonumber)}"}, {"!http": {"method": "POST", "path": "/subscribers", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email, list: (${custom_data.list.value} | tonumber)}"}, {"!http": {"method": "POST", "path": "/subscribers", "body": "${piped_content.1}"}}]}',
    },
  ],
  fixes: (finding, { document }) => renameFix(finding, document, "value"),
});

const module: RuleModule = {
  rules: [labelAsNumber],
  checks: {
    reach: "linked",
    program(program, report, model) {
      const { node } = program;
      if (!node.value.includes(".display") || !node.value.includes("tonumber")) return;
      for (const expansion of numbersIn(program)) {
        const label = labelOf(expansion, model);
        const [, id, attribute] = expansion.syntax.path;
        if (label === undefined || id === undefined || attribute === undefined) continue;
        report(labelAsNumber, { node, from: attribute.start, to: attribute.end }, { id: id.text, label });
      }
    },
  },
};
export default module;

/** Expansions that are made numbers as they are: `HOLE | tonumber`. */
const numbersIn = (program: JqProgram): readonly Expansion[] =>
  nodesOfKind(program, "Pipeline").flatMap(({ stages }) => {
    const [first, second] = stages;
    const isNumber = second?.kind === "Call" && second.name.text === "tonumber";
    return isNumber && first !== undefined ? (expansionIn(first as Expression, program) ?? []) : [];
  });

/** The one expansion that an expression is, in quotes or not. */
function expansionIn(node: Expression, program: JqProgram): Expansion | undefined {
  if (node.kind === "Group") return expansionIn(node.body, program);
  if (node.kind === "Hole") return program.holes[node.hole];
  const [part, ...others] = node.kind === "String" ? node.parts : [];
  return part?.kind === "Interpolation" && others.length === 0
    ? expansionIn(part.expression, program)
    : undefined;
}

/** A label that is no number, where an expansion is the label of what was chosen. */
function labelOf(expansion: Expansion, model: Model): string | undefined {
  const { root, fieldExact, fields, syntax } = expansion;
  if (root !== "custom_data" || !fieldExact || fields.length === 0) return undefined;
  if (syntax.path[2]?.text !== "display" || syntax.path.length > 3) return undefined;
  const labels = fields.map((field) => labelOfField(field, model));
  return labels.every((label) => label !== undefined) ? labels[0] : undefined;
}

function labelOfField(field: FieldSymbol, model: Model): string | undefined {
  if (field.type !== "dropdown") return undefined;
  const options = staticOptions(field);
  const label = options.find(({ display, value }) => !isNumber(display) && isNumber(value));
  if (options.length > 0) return label === undefined ? undefined : `“${label.display}”`;
  return hasIds(field, model) && showsNames(field, model) ? "a name" : undefined;
}

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));
