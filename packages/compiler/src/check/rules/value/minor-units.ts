import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import { unitOf, unitOfName, unitOfTitle } from "../../../flow/unit.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const minorUnits = defineRule<{ member: string; title: string; by: string }>({
  id: "value/minor-units",
  severity: "warning",
  summary: "A field that customers map gets cents, and its title doesn't say so",
  why: "Customers read an amount as whole money unless its title says otherwise. In cents it's a hundred times too large, for every record.",
  guards: ["data_pipeline.source", "option.title", "command.!jq"],
  message: ({ member, title, by }) =>
    `\`${by}\` counts cents. Customers map \`${member}\` as “${title}”, which says nothing of cents.`,
  because: ({ title, by }) => [`\`${by}\`: 4500, for 45.00`, `“${title}”: 4500`],
  help: ({ by }) => `Write \`${by} / 100\`, or say “in cents” in the title.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '[{"title": "Email", "id": "email"}, {"title": "List price", "id": "list_price"}]',
      },
      bad: '{"!jq": "{email: .email, list_price: «.list_price_cents»}"}',
      good: '{"!jq": "{email: .email, list_price: (.list_price_cents / 100)}"}',
    },
  ],
});

const typedAmount = defineRule<{ member: string; label: string }>({
  id: "value/typed-amount",
  severity: "warning",
  summary: "A number of cents is what a customer typed as whole money",
  why: "Customers type 45 and mean 45.00. Sent as cents it is 45 cents, a hundredth of it.",
  guards: ["command.!jq", "command.!http", "field.label"],
  message: ({ member, label }) =>
    `\`${member}\` counts cents, and gets what customers type under “${label}” as it is.`,
  because: ({ member, label }) => [`a customer types 45 under “${label}”`, `\`${member}\` is 45 cents`],
  help: () => "Multiply by 100, or say “in cents” in the label.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1": '{"label": "Amount", "id": "amount", "type": "text"}',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, value_cents: «(${custom_data.amount.value} | tonumber)»}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/gifts", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, value_cents: ((${custom_data.amount.value} | tonumber) * 100)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/gifts", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [minorUnits, typedAmount],
  checks: {
    looksFar: true,
    program(program, report, model) {
      const { command, node } = program;
      if (program.holes.some(({ root }) => root === "custom_data"))
        for (const { entries } of nodesOfKind(program, "Object"))
          for (const { key, value } of entries) {
            const member = nameOf(key);
            if (member === undefined || value === undefined || unitOfName(member) !== "minor") continue;
            const label = typedAs(value, program);
            if (label !== undefined && !isSaid(label))
              report(typedAmount, { node, from: value.start, to: value.end }, { member, label });
          }
      if (command.unit?.kind !== "workflow" || command.place.name !== "data_pipeline.source") return;
      if (!/cents?\b|minor|pence|Cents?\b|Minor|subunit|pennies/.test(node.value) || !isLast(program)) return;
      const titles = offeredTitles(command.unit, model);
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          const member = nameOf(key);
          const title = member === undefined ? undefined : titles.get(member);
          if (member === undefined || title === undefined || value === undefined) continue;
          if (unitOfName(member) !== undefined || unitOfTitle(title) !== undefined || isSaid(title)) continue;
          const counted = unitOf(value, program);
          if (counted?.unit !== "minor" || isMade(value)) continue;
          report(minorUnits, { node, from: value.start, to: value.end }, { member, title, by: counted.by });
        }
    },
  },
};
export default module;

/** The label of the text field of which a value is what was typed, as it is. */
function typedAs(value: Expression, program: JqProgram): string | undefined {
  const node = bare(value);
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source === undefined ? undefined : typedAs(source, program);
  }
  if (node.kind === "Pipeline") {
    const [first, ...others] = stagesOf(node);
    const keeps = others.every(
      (stage) => stage.kind === "Call" && /^(?:tonumber|round|floor|ceil|tostring)$/.test(stage.name.text),
    );
    return first !== undefined && keeps ? typedAs(first, program) : undefined;
  }
  const hole = node.kind === "Hole" ? program.holes[node.hole] : undefined;
  const [field, ...others] = hole?.root === "custom_data" ? hole.fields : [];
  const isTyped = field?.type === "text" && others.length === 0 && hole?.syntax.path[2]?.text === "value";
  return isTyped ? textOf(field.node, "label") : undefined;
}

export const isSaid = (title: string): boolean => /cent|minor|pence|penn(?:y|ies)|unit/i.test(title);

/** A sum or a text says less of what it counts. */
const isMade = (value: Expression): boolean => value.kind === "String";

/** Whether what a program makes is what the pipeline's source gives: what a later step converts isn't given as it is. */
export function isLast({ command }: JqProgram): boolean {
  for (let at = command; at.parent !== undefined; at = at.parent)
    if (at.parent.key === "!pipe" && at.parent.children.at(-1) !== at) return false;
  return true;
}
