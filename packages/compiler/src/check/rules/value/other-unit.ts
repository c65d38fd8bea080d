import type { Expression } from "@configc/jq";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { entryOf, finalObject, nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import {
  areComparable,
  type Counted,
  ratio,
  type Unit,
  unitOf,
  unitOfName,
  unitOfTitle,
} from "../../../flow/unit.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { nameOfUnit } from "../jq/units.ts";
import { memberWith } from "./other-role.ts";

const otherUnit = defineRule<{
  member: string;
  wanted: string;
  given: string;
  isTitle: boolean;
  instead: string | undefined;
}>({
  id: "value/other-unit",
  severity: "warning",
  summary: "A member counts something else than its name or title says",
  why: "Customers map a field by its title, and services read a member by its name. Hours under “minutes” are taken for minutes, so they're wrong for every record.",
  guards: ["data_pipeline.source", "option.title", "command.!jq"],
  message: ({ member, wanted, given, isTitle }) =>
    isTitle
      ? `The title of \`${member}\` says ${wanted}, and its value counts ${given}.`
      : `\`${member}\` says ${wanted}, and its value counts ${given}.`,
  because: ({ wanted, given }) => [`written: ${wanted}`, `counted: ${given}`],
  help: ({ wanted }) => `Convert it to ${wanted}.`,
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, duration_minutes: «(((.ended | fromdate) - (.started | fromdate)) / 3600)»}"}',
      good: '{"!jq": "{email: .email, duration_minutes: (((.ended | fromdate) - (.started | fromdate)) / 60)}"}',
    },
    {
      title: "As it comes",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, weight_kg: «.weight_grams»}"}',
      good: '{"!jq": "{email: .email, weight_kg: (.weight_grams / 1000)}"}',
      fixed: '{"!jq": "{email: .email, weight_kg: (.weight_grams / 1000)}"}',
    },
    {
      title: "Multiplied instead of divided",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, length_metres: «(.length_cm * 100)»}"}',
      good: '{"!jq": "{email: .email, length_metres: (.length_cm / 100)}"}',
      fixed: '{"!jq": "{email: .email, length_metres: (.length_cm / 100)}"}',
    },
    {
      title: "In a request",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/parcels", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/labels", "body": {"weight_kg": "«${piped_content.1.weight_grams}»"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/parcels", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/labels", "body": {"weight_grams": "${piped_content.1.weight_grams}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherUnit],
  checks: {
    expansion(expansion, report) {
      const { root, syntax, node } = expansion;
      const name = root === "piped_content" && node.parent?.kind === "member" ? node.parent.name : "";
      const wanted = unitOfName(name);
      const member = wanted === undefined ? undefined : memberWith(expansion);
      if (wanted === undefined || member === undefined) return;
      const given = unitOfName(syntax.path.at(-1)?.text ?? "") ?? unitMade(expansion, wanted);
      if (given === undefined || !isOther(wanted, given)) return;
      report(
        otherUnit,
        { node, from: syntax.start, to: syntax.end },
        { ...namesOf(wanted, given), member, isTitle: false, instead: undefined },
      );
    },
    program(program, report, model) {
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          const member = nameOf(key);
          if (member === undefined || value === undefined) continue;
          const own = unitOfName(member);
          if (isPointInTime(value, program) && !(own === "milliseconds" && isSent(program))) continue;
          if (own === undefined && (!isSource(program) || !mayCount(value, program))) continue;
          const counted = unitOf(value, program);
          const reversed = counted === undefined ? firstOf(value, program) : undefined;
          const given = counted ?? reversed;
          const wanted = given === undefined ? undefined : (own ?? titleUnit(member, program, model));
          if (wanted === undefined || given === undefined || !isOther(wanted, given.unit)) continue;
          const conversion = conversionTo(wanted, given.unit);
          if (reversed !== undefined && !isReversal(reversed, conversion)) continue;
          const names = namesOf(wanted, given.unit);
          report(
            otherUnit,
            { node: program.node, from: value.start, to: value.end },
            {
              ...names,
              given: reversed === undefined ? names.given : `${names.given} ${reversed.step}`,
              member,
              isTitle: own === undefined,
              instead: given.converted ? undefined : `(${given.by} ${conversion})`,
            },
          );
        }
    },
  },
};
export default module;

const isOther = (wanted: Unit, unit: Unit): boolean => unit !== wanted && areComparable(unit, wanted);

const namesOf = (wanted: Unit, given: Unit) => ({ wanted: nameOfUnit(wanted), given: nameOfUnit(given) });

/** What a member counts that a step before makes: `now + 3600` seconds. */
function unitMade({ command, syntax: { path } }: Expansion, wanted: Unit): Unit | undefined {
  const program = path.length === 3 ? command?.pipe?.children[Number(path[1]!.text) - 1]?.program : undefined;
  const object = program === undefined || program.diagnostics.length > 0 ? undefined : finalObject(program);
  const value = object === undefined ? undefined : entryOf(object, path[2]!.text)?.value;
  if (program === undefined || value === undefined) return undefined;
  return isPointInTime(value, program) && wanted !== "milliseconds"
    ? undefined
    : unitOf(value, program)?.unit;
}

/** `/ 1000` from grams to kilograms, `* 1000` back. */
function conversionTo(wanted: Unit, given: Unit): string {
  const factor = ratio(given, wanted);
  return factor > 1 ? `/ ${factor}` : `* ${1 / factor}`;
}

/** States of polls are told as such. */
const isSent = ({ command }: JqProgram): boolean => command.place.name.startsWith("data_pipeline.");

const isSource = ({ command }: JqProgram): boolean =>
  command.unit?.kind === "workflow" && command.place.name === "data_pipeline.source";

/** Whether a value counts something, as far as it is written: most don't. */
const mayCount = ({ start, end }: Expression, { node }: JqProgram): boolean =>
  /[*/]|_[a-z]+\b|[a-z][A-Z]/.test(node.value.slice(start, end));

interface Reckoned extends Counted {
  readonly step: string;
}

/** What a product or quotient begins with, and its factor: `.length_cm` and `* 100`. */
function firstOf(value: Expression, program: JqProgram): Reckoned | undefined {
  const node = bare(value);
  const [step, ...others] = node.kind === "Arithmetic" ? node.rest : [];
  const number = step === undefined || others.length > 0 ? undefined : numberOf(step.operand);
  const counted = node.kind === "Arithmetic" ? unitOf(node.first, program) : undefined;
  if (counted === undefined || number === undefined) return undefined;
  return { ...counted, step: `${step!.operator} ${number}` };
}

/** `* 100` instead of `/ 100`. */
const isReversal = ({ step }: Reckoned, conversion: string): boolean =>
  step.slice(1) === conversion.slice(1) && /^[*/]/.test(step) && step !== conversion;

/** `expires_in: (now + .seconds)` and the like: a name says less there. */
const isPointInTime = ({ start, end }: Expression, { node }: JqProgram): boolean =>
  /\bnow\b/.test(node.value.slice(start, end));

/** The unit that the title of an offered field names: “Duration in minutes”. */
function titleUnit(member: string, { command }: JqProgram, model: Model): Unit | undefined {
  if (command.unit?.kind !== "workflow") return undefined;
  const title = offeredTitles(command.unit, model).get(member);
  return title === undefined ? undefined : unitOfTitle(title);
}
