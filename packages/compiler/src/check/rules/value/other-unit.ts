import type { Expression, ObjectEntry } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Counted, ofChosen, unitOf, unitsAround } from "../../../flow/counted.ts";
import { anyTime, type DocumentedUnits } from "../../../flow/documented-units.ts";
import { entryOf, finalObject, nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { isTimeName } from "../../../flow/protocol/time-names.ts";
import { durationsIn } from "../../../flow/said-durations.ts";
import { scaled } from "../../../flow/scaled.ts";
import { areComparable, ratio, type Unit, unitOfName, unitOfTitle } from "../../../flow/unit.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { nameOfUnit } from "../jq/units.ts";
import { otherFactors } from "./known-factors.ts";
import { memberWith } from "./other-role.ts";
import { shareIn } from "./quotients.ts";

const otherUnit = defineRule<{
  member: string;
  wanted: string;
  given: string;
  /** What says what is wanted. */
  by: "name" | "title" | "comment";
  instead: string | undefined;
}>({
  id: "value/other-unit",
  severity: "warning",
  summary: "A member counts something else than its name or title says",
  why: "Customers map a field by its title, and services read a member by its name. Hours under “minutes” are taken for minutes, so they're wrong for every record.",
  guards: ["data_pipeline.source", "option.title", "command.!jq"],
  message: ({ member, wanted, given, by }) => `${says[by](member, wanted)}, and its value counts ${given}.`,
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

const says: Readonly<Record<"name" | "title" | "comment", (member: string, wanted: string) => string>> = {
  name: (member, wanted) => `\`${member}\` says ${wanted}`,
  title: (member, wanted) => `The title of \`${member}\` says ${wanted}`,
  comment: (member, wanted) => `A comment says that \`${member}\` counts ${wanted}`,
};

const module: RuleModule = {
  rules: [otherUnit],
  checks: {
    reach: "saved",
    expansion(expansion, report, model) {
      const { root, syntax, node, command } = expansion;
      const isValue = root === "piped_content" || (root === "custom_data" && expansion.position !== "path");
      const name = isValue && node.parent?.kind === "member" ? node.parent.name : "";
      const member = name === "" ? undefined : memberWith(expansion);
      if (member === undefined) return;
      const documented =
        unitOfName(name) === undefined && command !== undefined
          ? unitsAround(command, model)?.(name)
          : undefined;
      const wanted = unitOfName(name) ?? documented?.unit;
      if (wanted === undefined) return;
      const given =
        root === "custom_data"
          ? ofChosen(expansion)?.unit
          : (unitOfName(syntax.path.at(-1)?.text ?? "") ??
            unitMade(
              expansion,
              isMoment({ unit: wanted, by: documented === undefined ? "name" : "comment" }),
              model,
            ));
      if (given === undefined || !isOther(wanted, given)) return;
      if (documented !== undefined && wanted === "seconds" && !isWholeTime(name, given)) return;
      // What a program makes under the same name is told there.
      if (documented !== undefined && syntax.path.at(-1)?.text === name) return;
      report(
        otherUnit,
        { node, from: syntax.start, to: syntax.end },
        {
          ...namesOf(wanted, given),
          member,
          by: documented === undefined ? "name" : "comment",
          instead: undefined,
        },
        related(documented?.comment),
      );
    },
    program(program, report, model) {
      const { unit } = program.command;
      const titles = (): ReadonlyMap<string, string> =>
        unit?.kind === "workflow" ? offeredTitles(unit, model) : new Map();
      for (const { node, ...args } of otherFactors(program, titles))
        report(otherUnit, partAt(program, node), { ...args, by: "name", instead: undefined });
      const said = unitsAround(program.command, model);
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const [member, value] of entries.flatMap(valuesOf)) {
          const expected = expectedUnit(member, value, program, said) ?? chosenUnit(member, value, program);
          const title =
            expected === undefined && isSource(program) ? titleOf(member, program, model) : undefined;
          if (expected === undefined && title === undefined) continue;
          const length = otherLength(member, value, expected);
          if (length !== undefined) {
            const { node, given } = length;
            const names = { ...namesOf(expected!.unit, given), member, by: "comment" as const };
            report(
              otherUnit,
              partAt(program, node),
              { ...names, instead: undefined },
              related(expected!.comment),
            );
            continue;
          }
          if (isPointInTime(value, program) && !(isSent(program) && isMoment(expected))) continue;
          if (expected === undefined && said === undefined && !mayCount(value, program)) continue;
          const counted = unitOf(value, program, model) ?? shareIn(value, member, program);
          const wrong = counted === undefined ? firstOf(value, program, model) : undefined;
          const given = counted ?? wrong;
          const wanted =
            expected?.unit ?? (given === undefined || title === undefined ? undefined : unitOfTitle(title));
          if (wanted === undefined || given === undefined || !areComparable(given.unit, wanted)) continue;
          if (wrong === undefined && given.unit === wanted) continue;
          // A day or an hour of a time may be what is left until then.
          if (wanted === "seconds" && isPointInTime(value, program) && !isWholeTime(member, given.unit))
            continue;
          const conversion = given.unit === wanted ? "" : conversionTo(wanted, given.unit);
          if (wrong !== undefined && !isWrong(wrong, wanted)) continue;
          // One in a hundred of a total is a fee.
          const isReckoned = wrong !== undefined || given.converted;
          if (isReckoned && areComparable(given.unit, "minor") && isShareOf(member, value, program)) continue;
          // Customers read the title, and of `income_share` they learn nothing.
          if (
            expected?.by === "name" &&
            counted !== undefined &&
            isTitled(member, counted.unit, program, model)
          )
            continue;
          const names = namesOf(wanted, given.unit);
          report(
            otherUnit,
            { node: program.node, from: value.start, to: value.end },
            {
              ...names,
              given: wrong === undefined ? names.given : `${names.given} ${wrong.step}`,
              member,
              by: expected?.by ?? "title",
              instead: given.converted
                ? undefined
                : `(${given.by}${conversion === "" ? "" : ` ${conversion}`})`,
            },
            related(expected?.comment ?? given.comment),
          );
        }
    },
  },
};
export default module;

/** What a member gets: each of two that are read, where one stands for the other. */
function valuesOf({ key, value }: ObjectEntry): readonly (readonly [string, Expression])[] {
  const member = nameOf(key);
  if (member === undefined || value === undefined) return [];
  const node = bare(value);
  const read =
    node.kind === "Alternative" ? node.operands.filter((each) => constantOf(bare(each)) === undefined) : [];
  return read.length < 2 ? [[member, value]] : read.map((each) => [member, each] as const);
}

/** A point in time is sent in milliseconds, or in seconds where a comment says so: the name `expires_seconds` may be that of a span. */
const isMoment = (expected: { unit: Unit; by: "name" | "comment" } | undefined): boolean =>
  expected?.unit === "milliseconds" || (expected?.unit === "seconds" && expected.by === "comment");

/** Whether a member is a point in time by its name, in another unit of those that a clock counts by. */
const isWholeTime = (member: string, unit: Unit): boolean =>
  unit === "milliseconds" &&
  (isTimeName(member) ||
    /(?:from|until|till|expir\w*|before|after|since|deadline|starts?|ends?)$/i.test(member));

/** What a member should count by its name, or by a comment where it is sent to the service that the comment is about. */
function expectedUnit(
  member: string,
  value: Expression,
  program: JqProgram,
  said: DocumentedUnits | undefined,
): { unit: Unit; by: "name" | "comment"; comment?: StringNode } | undefined {
  const unit = unitOfName(member);
  if (unit !== undefined) return { unit, by: "name" };
  // `load_t` of `load_kg`: beside the other, the letter can't be anything else.
  const weight = /^(\w+)_t$/.exec(member)?.[1];
  if (weight !== undefined && new RegExp(`\\b${escapedPattern(weight)}_k?g\\b`).test(textAt(value, program)))
    return { unit: "tonnes", by: "name" };
  if (said === undefined || !isSent(program) || isSource(program)) return undefined;
  const documented = said(member) ?? (isMadeTime(value, program) ? said(anyTime) : undefined);
  return documented && { ...documented, by: "comment" };
}

/**
 * A constant that is one of the lengths that the comment says, but counted in another unit than it says: `due_in is in minutes: 8 hours or
 * 5 days` beside `8 * 3600`.
 */
function otherLength(
  member: string,
  value: Expression,
  expected: ReturnType<typeof expectedUnit>,
): { readonly node: Expression; readonly given: Unit } | undefined {
  if (expected?.comment === undefined || !areComparable(expected.unit, "seconds")) return undefined;
  const text = expected.comment.value;
  const clause = text.slice(Math.max(0, text.indexOf(member))).split(/[.;](?=\s|$)/)[0]!;
  const lengths = durationsIn(clause);
  if (lengths.length === 0) return undefined;
  const node = bare(value);
  const ways = node.kind === "If" ? [...node.branches.map(({ body }) => body), node.otherwise] : [node];
  for (const way of ways) {
    const number = way === undefined ? undefined : numberOf(way);
    if (way === undefined || number === undefined || number === 0) continue;
    const isLengthIn = (unit: Unit): boolean => lengths.includes(number * ratio("seconds", unit));
    const given = isLengthIn(expected.unit) ? undefined : clockUnits.find(isLengthIn);
    if (given !== undefined) return { node: way, given };
  }
  return undefined;
}

const clockUnits = ["milliseconds", "seconds", "minutes", "hours", "days"] as const;

/** `days` alone may be a list of them, but not where it gets a number of weeks that a customer chose. */
function chosenUnit(member: string, value: Expression, program: JqProgram): ReturnType<typeof expectedUnit> {
  if (!isSpanName(member) || !program.node.value.includes("custom_data")) return undefined;
  return unitOf(value, program)?.isChosenTime === true ? { unit: member, by: "name" } : undefined;
}

const isSpanName = (member: string): member is "days" | "weeks" => member === "days" || member === "weeks";

/** A time that the program makes, and no span: `now + 3600`. */
const isMadeTime = (value: Expression, program: JqProgram): boolean =>
  /\b(?:now|fromdate|mktime)\b/.test(textAt(value, program)) && !isSpan(value, program);

/** Whether one time is taken off another: `now - (.due_at | fromdate)`. */
const isSpan = (value: Expression, program: JqProgram): boolean =>
  nodesIn(value).some(
    (node) =>
      node.kind === "Arithmetic" &&
      node.rest.some(
        ({ operator, operand }) =>
          operator === "-" && numberOf(operand) === undefined && unitOf(operand, program) !== undefined,
      ),
  );

const related = (comment: StringNode | undefined) =>
  comment === undefined ? [] : [{ message: "the comment", at: comment }];

const isOther = (wanted: Unit, unit: Unit): boolean => unit !== wanted && areComparable(unit, wanted);

const namesOf = (wanted: Unit, given: Unit) => ({ wanted: nameOfUnit(wanted), given: nameOfUnit(given) });

/** What a member counts that a step before makes: `now + 3600` seconds. */
function unitMade(
  { command, syntax: { path } }: Expansion,
  wantsMoment: boolean,
  model: Model,
): Unit | undefined {
  const program = path.length === 3 ? command?.pipe?.children[Number(path[1]!.text) - 1]?.program : undefined;
  const object = program === undefined || program.diagnostics.length > 0 ? undefined : finalObject(program);
  const value = object === undefined ? undefined : entryOf(object, path[2]!.text)?.value;
  if (program === undefined || value === undefined) return undefined;
  return isPointInTime(value, program) && !wantsMoment ? undefined : unitOf(value, program, model)?.unit;
}

/** `/ 1000` from grams to kilograms, `* 1000` back; `* 0.45359237` from pounds. */
function conversionTo(wanted: Unit, given: Unit): string {
  const factor = ratio(given, wanted);
  const [times, over] = [1 / factor, factor].map((each) => Number(each.toPrecision(9))) as [number, number];
  return `${times}`.length < `${over}`.length ? `* ${times}` : `/ ${over}`;
}

/** States of polls are told as such. */
const isSent = ({ command }: JqProgram): boolean => command.place.name.startsWith("data_pipeline.");

const isSource = ({ command }: JqProgram): boolean =>
  command.unit?.kind === "workflow" && command.place.name === "data_pipeline.source";

/** Whether a value counts something, as far as it is written: most don't. */
const mayCount = ({ start, end }: Expression, { node }: JqProgram): boolean =>
  /[*/$]|_[a-z]+\b|[a-z][A-Z]/.test(node.value.slice(start, end));

interface Reckoned extends Counted {
  readonly factor: number;
  /** As it is written. */
  readonly step: string;
}

/** What a product or quotient begins with, and its factor in all: `.length_cm` and 100 of `.length_cm * 100`. */
function firstOf(value: Expression, program: JqProgram, model: Model): Reckoned | undefined {
  const node = reckoningOf(value, program);
  const { base, factor } = lastScaled(node, program) ?? scaled(node, program);
  const counted = factor === 1 ? undefined : unitOf(base, program, model);
  // `.cents * .share / 100`: the step may belong to the share.
  if (counted === undefined || counted.isShared === true) return undefined;
  return { ...counted, factor, step: stepOf(factor) };
}

/** What the last stage multiplies, where it takes its input in some way: `[.grams] | (add // 0) / 100`. */
function lastScaled(node: Expression, program: JqProgram): ReturnType<typeof scaled> | undefined {
  const last = node.kind === "Pipeline" ? node.stages.at(-1) : undefined;
  if (node.kind !== "Pipeline" || last?.kind !== "Arithmetic") return undefined;
  const { base, factor } = scaled(last, program);
  const taken = bare(base);
  // `[.grams] | add / 1000`
  const isSum =
    taken.kind === "Call" &&
    taken.arguments.length === 0 &&
    /^(?:add|min|max|tonumber)$/.test(taken.name.text);
  if (factor === 1 || (taken.kind !== "Alternative" && !isSum)) return undefined;
  return { base: { ...node, stages: [...node.stages.slice(0, -1), base], end: base.end }, factor };
}

/** `/ 100` for a hundredth. */
const stepOf = (factor: number): string => {
  const [times, over] = [factor, 1 / factor].map((each) => Number(each.toPrecision(9))) as [number, number];
  return `${times}`.length <= `${over}`.length ? `* ${times}` : `/ ${over}`;
};

/** Where a value is reckoned: in the one branch that isn't constant. */
function reckoningOf(value: Expression, program: JqProgram): Expression {
  const node = bare(value);
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source === undefined ? node : reckoningOf(source, program);
  }
  if (node.kind !== "If") return node;
  const ways = [...node.branches.map(({ body }) => body), node.otherwise];
  const [way, ...others] = ways.flatMap((each) =>
    each === undefined || constantOf(each) !== undefined ? [] : [each],
  );
  return way === undefined || others.length > 0 ? node : reckoningOf(way, program);
}

/** Whether a factor leads to the wanted unit by another one of the clock's or by powers of ten: `/ 100` from grams to kilograms. */
function isWrong({ unit, factor }: Reckoned, wanted: Unit): boolean {
  // Cents times 100; other factors may stand for a number of pieces.
  if (unit === wanted)
    return unit === "minor" ? isNear(factor, 100) || isNear(factor, 0.01) : isOfClock(unit, factor);
  const right = 1 / ratio(unit, wanted);
  const off = factor / right;
  if (isNear(off, 1)) return false;
  return (
    isNear(off, 1 / right ** 2) ||
    isNear(Math.log10(off), Math.round(Math.log10(off))) ||
    isOfMeasure(factor) ||
    isOfClock(unit, factor)
  );
}

/** Whether a member is called as what is a part of an amount, which the value is of another name. */
const isShareOf = (member: string, value: Expression, program: JqProgram): boolean =>
  ofShare.test(member) && !ofShare.test(textAt(value, program));
const ofShare =
  /(?<![a-z])(?:bonus|cashback|commission|deposit|discount|donation|down_?payment|fee|interest|levy|margin|part|rebate|reserve|retention|royalt(?:y|ies)|share|surcharge|tax|tip|vat)(?![a-z])/i;

const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 0.002 * Math.abs(b || 1);

/** `/ 453.6` from kilograms to tonnes: the factor between two other measures. */
const isOfMeasure = (factor: number): boolean =>
  measures.some((each) => isNear(factor, each) || isNear(factor, 1 / each));

/** Pounds, ounces, miles, feet, inches, gallons. */
const measures = [453.592, 2.20462, 28.3495, 35.274, 1.60934, 1_609.34, 0.3048, 25.4, 2.54, 3.78541, 4.54609];

/** `/ 60000` of seconds: one of the clock's factors that gives nothing of it. */
const isOfClock = (unit: Unit, factor: number): boolean =>
  areComparable(unit, "seconds") &&
  [...clockFactors].some((each) => isNear(factor, each) || isNear(factor, 1 / each));

const clockFactors: ReadonlySet<number> = new Set([
  60, 360, 600, 1_000, 3_600, 60_000, 86_400, 604_800, 3_600_000, 86_400_000,
]);

/** `expires_in: (now + .seconds)` and the like: a name says less there. */
const isPointInTime = (value: Expression, program: JqProgram): boolean =>
  /\bnow\b/.test(textAt(value, program)) && !isSpan(value, program);

/** Whether the title of an offered field says what is counted, whatever its id says. */
const isTitled = (member: string, unit: Unit, program: JqProgram, model: Model): boolean =>
  isSource(program) && unitOfTitle(titleOf(member, program, model) ?? "") === unit;

/** The title of an offered field, which may name a unit: “Duration in minutes”. */
const titleOf = (member: string, { command: { unit } }: JqProgram, model: Model): string | undefined =>
  unit?.kind === "workflow" ? offeredTitles(unit, model).get(member) : undefined;
