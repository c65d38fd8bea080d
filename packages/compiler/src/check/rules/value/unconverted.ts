import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Counted, unitOf } from "../../../flow/counted.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { isResult } from "../../../flow/result.ts";
import { type Unit, unitOfName } from "../../../flow/unit.ts";
import { derivedByPart } from "../../by-part.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { nameOfUnit } from "../jq/units.ts";
import { comparedCents } from "./cents-limit.ts";

const unconverted = defineRule<{ by: string; unit: string; member: string; other: string }>({
  id: "value/unconverted",
  severity: "hint",
  summary: "A number in cents or milliseconds isn't converted, although the app converts others",
  why: "Customers read and compare what arrives. Beside amounts in whole money, one in cents is a hundred times too large.",
  guards: ["data_pipeline.source", "command.!jq"],
  message: ({ by, unit, member, other }) =>
    member === ""
      ? `\`${by}\` counts ${unit} and is compared with what a customer chose; \`${other}\` is converted first.`
      : `\`${member}\` gets \`${by}\`, which counts ${unit}; \`${other}\` is converted first.`,
  because: ({ by, unit, other }) => [`\`${by}\`: ${unit}`, `\`${other}\`: converted`],
  help: ({ unit }) => (unit === "cents" ? "Divide by 100, or multiply the other side." : "Divide by 1000."),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, total: (.total_cents / 100), shipping: «.shipping_cents»}"}',
      good: '{"!jq": "{email: .email, total: (.total_cents / 100), shipping: (.shipping_cents / 100)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [unconverted],
  checks: {
    document(model, report) {
      const known = new Map(conversions(model));
      if (known.size > 0) for (const program of model.programs) check(program, known, report, model);
    },
  },
};
export default module;

function check(program: JqProgram, known: ReadonlyMap<Unit, string>, report: Report, model: Model): void {
  if (program.command.place.name !== "data_pipeline.source") return;
  const tell = (node: Expression, member: string): void => {
    const counted = unitOf(node, program);
    const other = counted === undefined || counted.converted ? undefined : known.get(counted.unit);
    if (counted === undefined || other === undefined || !isMember(node)) return;
    const at = { node: program.node, from: node.start, to: node.end };
    report(unconverted, at, { by: counted.by, unit: nameOfUnit(counted.unit), member, other });
  };
  const made = nodesIn(program.tree.body);
  for (const { entries } of nodesOfKind(program, "Object"))
    for (const { key, value } of entries) {
      const member = nameOf(key);
      if (member === undefined || value === undefined || unitOfName(member) !== undefined) continue;
      // What a later step converts isn't given as it is, and cents with a title are told by that.
      const isTold = unitOf(value, program)?.unit === "minor" && hasTitle(member, program, model);
      if (isResult(program.command) && !isTold) tell(bare(value), member);
    }
  for (const node of made)
    if (node.kind === "Comparison" && !/^[!=]=$/.test(node.operator)) {
      if (comparedCents(node, program) !== undefined) continue;
      if (isChosen(node.right, program)) tell(bare(node.left), "");
      if (isChosen(node.left, program)) tell(bare(node.right), "");
    }
}

/** What is converted somewhere in the document, by unit. */
const conversions = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    const found: [Unit, string][] = [];
    if (!/\/ *100/.test(program.node.value)) return found;
    for (const node of nodesOfKind(program, "Arithmetic")) {
      const [step] = node.rest;
      const number = step?.operator === "/" ? numberOf(step.operand) : undefined;
      const counted: Counted | undefined = number === undefined ? undefined : unitOf(node.first, program);
      if (counted === undefined || counted.converted) continue;
      const isDone =
        counted.unit === "minor" ? number === 100 : counted.unit === "milliseconds" && number === 1_000;
      if (isDone) found.push([counted.unit, counted.by]);
    }
    return found;
  }),
);

const hasTitle = (member: string, { command: { unit } }: JqProgram, model: Model): boolean =>
  unit?.kind === "workflow" && offeredTitles(unit, model).has(member);

const isMember = (node: Expression): boolean => node.kind === "Postfix" || node.kind === "Hole";

/** A number that a customer typed or chose, as it is. */
function isChosen(node: Expression, program: JqProgram): boolean {
  const inner = bare(node);
  if (inner.kind === "Hole") return program.holes[inner.hole]?.root === "custom_data";
  if (inner.kind !== "Pipeline") return false;
  const [first, last, ...others] = inner.stages as Expression[];
  const converts = last?.kind === "Call" && last.name.text === "tonumber" && others.length === 0;
  return first !== undefined && converts && isChosen(first, program);
}
