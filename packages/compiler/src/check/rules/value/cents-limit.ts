import type { Comparison, Expression } from "@configc/jq";
import type { FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { showsNumber, staticOptions } from "../../../flow/chosen.ts";
import { chosenIn } from "../../../flow/chosen-comparisons.ts";
import { unitOf } from "../../../flow/counted.ts";
import { countedOptions } from "../../../flow/durations.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { unitOfTitle } from "../../../flow/unit.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { isSaid } from "./minor-units.ts";

const centsLimit = defineRule<{ by: string; label: string }>({
  id: "value/cents-limit",
  severity: "warning",
  summary: "An amount in cents is compared with what a customer chose in whole money",
  why: "A limit of 50 is reached by 50 cents then, so nearly every record passes, or none.",
  guards: ["command.!jq", "field.label", "data_pipeline.source"],
  message: ({ by, label }) => `\`${by}\` counts cents, and “${label}” is whole money.`,
  because: ({ by, label }) => [
    `\`${by}\` is 4500, for 45.00`,
    `a customer gives 50 under “${label}”: 4500 is more`,
  ],
  help: () => "Multiply what the customer gave by 100.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"label": "Smallest order", "id": "form", "type": "dropdown", "options": [{"display": "From 50", "value": "50"}, {"display": "From 100", "value": "100"}]}',
      },
      bad: '{"!jq": "if «.total_cents» < (${custom_data.form.value} | tonumber) then null else {email: .email} end"}',
      good: '{"!jq": "if .total_cents < (${custom_data.form.value} | tonumber) * 100 then null else {email: .email} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [centsLimit],
  checks: {
    reach: "linked",
    program(program, report) {
      if (!program.holes.some(({ root }) => root === "custom_data")) return;
      for (const node of nodesOfKind(program, "Comparison")) {
        const found = comparedCents(node, program);
        if (found === undefined) continue;
        const { at, by, label } = found;
        report(centsLimit, { node: program.node, from: at.start, to: at.end }, { by, label });
      }
    },
  },
};
export default module;

/** The amount in cents that a comparison has on one side, where the other one is whole money by its label or options. */
export function comparedCents({ operator, left, right }: Comparison, program: JqProgram) {
  if (operator === "==" || operator === "!=") return undefined;
  for (const [side, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const label = wholeLabel(other, program);
    const counted = label === undefined ? undefined : unitOf(side, program);
    if (label !== undefined && counted?.unit === "minor") return { at: side, by: counted.by, label };
  }
  return undefined;
}

function wholeLabel(node: Expression, program: JqProgram): string | undefined {
  const chosen = chosenIn(
    node,
    program,
    ({ root, syntax }) => root === "custom_data" && syntax.path[2]?.text === "value",
  );
  const [field, ...others] = chosen?.fieldExact === true ? chosen.fields : [];
  const label = field === undefined || others.length > 0 ? undefined : textOf(field.node, "label");
  const help = textOf(field?.node, "help_text") ?? textOf(field?.node, "placeholder") ?? "";
  if (label === undefined || isSaid(label) || unitOfTitle(label) !== undefined || isSaid(help))
    return undefined;
  return field?.type === "text" || showsNumbers(field!) ? label : undefined;
}

/** Whether the options show the very numbers that they stand for: “From 50”. */
function showsNumbers(field: FieldSymbol): boolean {
  const texts = staticOptions(field).filter(({ value }) => Number(value) !== 0);
  const options = countedOptions(field.node).map(({ value, display }) => ({ value: `${value}`, display }));
  return (
    options.length > 0 &&
    options.length >= texts.length &&
    options.every((option) => showsNumber(option) && !isSaid(option.display))
  );
}
