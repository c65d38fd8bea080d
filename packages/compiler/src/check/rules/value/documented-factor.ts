import type { Expression, Node } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver } from "../../../flow/counted.ts";
import { type DocumentedFactor, factorsOfUnits } from "../../../flow/documented-factors.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { definitionOf, stagesOf } from "../../../flow/protocol/dependence.ts";
import { unitOfName, unitOfTitle } from "../../../flow/unit.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";

const documentedFactor = defineRule<{ text: string; one: string; number: number; other: string }>({
  id: "value/documented-factor",
  severity: "warning",
  summary: "A factor that a comment gives is used the wrong way round",
  why: "A comment says how many of one unit the other is. Divided instead of multiplied, every value is wrong by the square of the factor, and nothing fails.",
  guards: ["command.!jq"],
  message: ({ text, one, number, other }) =>
    `\`${text}\` goes the other way than the comment: 1 ${one} is ${number} ${other}.`,
  because: ({ one, number, other }) => [
    `from ${one} to ${other}: times ${number}`,
    `from ${other} to ${one}: divided by ${number}`,
  ],
  help: () => "Exchange `*` and `/`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/workflows/0/data_pipeline/_comment": '"Glucose: 1 mmol/L is 18.016 mg/dL."' },
      bad: '{"!jq": "{email: .email, glucose_mg_per_dl: («.glucose_mmol / 18.016» | round)}"}',
      good: '{"!jq": "{email: .email, glucose_mg_per_dl: (.glucose_mmol * 18.016 | round)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedFactor],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!hasComments(model) || !/[*/(] *\d/.test(program.node.value)) return;
      const factors = commentsOver(program.command, model).flatMap(factorsOfUnits);
      if (factors.length === 0) return;
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries)
          if (value !== undefined)
            for (const node of nodesIn(value)) {
              const step = stepOf(node, program);
              const used =
                step === undefined ? undefined : turned(step, nameOf(key), factors, program, model);
              if (used === undefined) continue;
              const { one, number, other, comment } = used;
              report(
                documentedFactor,
                partAt(program, node),
                { text: textAt(node, program), one, number, other },
                [{ message: "the comment", at: comment }],
              );
            }
    },
  },
};
export default module;

/** What is multiplied or divided, and by which number. */
interface Step {
  readonly read: Expression;
  readonly operator: "*" | "/";
  readonly number: number;
}

/** `.a * 2.5`, or `.a | convert(2.5)` and `.a | convert(1 / 2.5)` where the definition multiplies by its parameter. */
function stepOf(node: Node, program: JqProgram): Step | undefined {
  if (node.kind === "Arithmetic") {
    const [step, ...others] = node.rest;
    const number = step === undefined ? undefined : numberOf(step.operand);
    const isFactor = step?.operator === "*" || step?.operator === "/";
    if (!isFactor || number === undefined || others.length > 0) return undefined;
    // Of `1 / 2.5` nothing is read.
    if (constantOf(node.first) !== undefined) return undefined;
    return { read: node.first, operator: step.operator as "*" | "/", number };
  }
  const [read, call, ...others] = node.kind === "Pipeline" ? stagesOf(node) : [];
  if (read === undefined || call?.kind !== "Call" || others.length > 0) return undefined;
  const definition = definitionOf(program, call);
  const [parameter, ...more] = definition?.parameters ?? [];
  const [argument] = call.arguments;
  if (definition === undefined || parameter === undefined || more.length > 0) return undefined;
  const sign = parameter.byValue ? "\\$" : "";
  const multiplies = new RegExp(`\\. *\\* *${sign}${escapedPattern(parameter.name)}\\b`);
  if (argument === undefined || !multiplies.test(textAt(definition.body, program))) return undefined;
  const given = bare(argument);
  const [by] = given.kind === "Arithmetic" && constantOf(given.first) === 1 ? given.rest : [];
  const number = numberOf(by?.operator === "/" ? by.operand : given);
  return number === undefined ? undefined : { read, operator: by?.operator === "/" ? "/" : "*", number };
}

/** The factor that a value is multiplied by, though what is read or what is made says that it should be divided, or the other way round. */
function turned(
  { read: node, operator, number }: Step,
  member: string | undefined,
  factors: readonly DocumentedFactor[],
  program: JqProgram,
  model: Model,
): DocumentedFactor | undefined {
  const factor = factors.find((each) => each.number === number && number !== 1);
  if (factor === undefined) return undefined;
  const { unit } = program.command;
  const offered = unit?.kind === "workflow" ? offeredTitles(unit, model).get(member ?? "") : undefined;
  const read = nameRead(node, program);
  const [from, to] = operator === "*" ? [factor.one, factor.other] : [factor.other, factor.one];
  const says = (name: string | undefined, wanted: string): boolean =>
    name !== undefined && (lettersOf(name).includes(lettersOf(wanted)) || isSameUnit(name, wanted));
  // `Area (ha or acres)` says nothing of either.
  const title = says(offered, from) && says(offered, to) ? undefined : offered;
  // What a hectare costs goes the other way than how large it is.
  if ([read, member, title].some((name) => name !== undefined && isRate(name, factor))) return undefined;
  const isRight = says(read, from) || says(member, to) || says(title, to);
  const isTurned = says(read, to) || says(member, from) || says(title, from);
  return isTurned && !isRight ? factor : undefined;
}

/** `price_per_acre`, `cost_litre` */
const isRate = (name: string, { one, other }: DocumentedFactor): boolean =>
  /(?:price|cost|rate|fee|tariff|density|speed|yield)s?(?![a-z])/i.test(name) ||
  [one, other].some((unit) => {
    const letters = lettersOf(unit);
    const said = /(?:_per_?|Per|\bper )([\s\S]*)$/.exec(name)?.[1];
    return said !== undefined && letters !== "" && lettersOf(said).startsWith(letters);
  });

/** `volume_m3` and cubic metres. */
function isSameUnit(name: string, wanted: string): boolean {
  const unit = unitOfTitle(wanted) ?? unitOfTitle(`${wanted}s`);
  return unit !== undefined && (unitOfName(name) ?? unitOfTitle(name)) === unit;
}

/** `mg/dL` of `glucose_mg_per_dl` and of “Glucose (mg/dL)”, `hour` of `hours`. */
const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/per(?![a-z])|per(?=_|[A-Z])|[^a-zµ°²³%]/g, "")
    .replace(/s$/, "");
