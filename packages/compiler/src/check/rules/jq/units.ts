import type { Expression, Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Counted, unitOf } from "../../../flow/counted.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { timeUnitOf } from "../../../flow/protocol/time-unit.ts";
import { areComparable, converted, type Unit } from "../../../flow/unit.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { clockParts } from "./clock-parts.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

/** As people say it. */
export const nameOfUnit = (unit: Unit): string =>
  named[unit] ?? unit.replace(/(?=[A-Z])/g, " ").toLowerCase();

const named: Readonly<Partial<Record<Unit, string>>> = {
  minor: "cents",
  major: "whole money",
  fractions: "parts of one",
  wattHours: "Wh",
  kilowattHours: "kWh",
  megawattHours: "MWh",
};

const mixedUnits = defineRule<{ left: string; leftUnit: string; right: string; rightUnit: string }>({
  id: "jq/mixed-units",
  severity: "warning",
  summary: "Two numbers in different units are added, subtracted or compared",
  why: "Cents minus pounds, or milliseconds minus seconds, give a number that looks right and is wrong for every record.",
  guards: ["D23"],
  message: ({ left, leftUnit, right, rightUnit }) =>
    `\`${left}\` counts ${leftUnit}, and \`${right}\` ${rightUnit}.`,
  because: ({ left, leftUnit, right, rightUnit }) => [
    `\`${left}\`: ${leftUnit}`,
    `\`${right}\`: ${rightUnit}`,
  ],
  help: () => "Convert both sides to one unit first, and check the brackets.",
  examples: [
    {
      title: "Only one of the two is divided",
      ...place,
      bad: '{"!jq": "{email: .email, paid: (.total_cents - «.refunded_cents / 100»)}"}',
      good: '{"!jq": "{email: .email, paid: ((.total_cents - .refunded_cents) / 100)}"}',
    },
    {
      title: "Seconds off milliseconds",
      ...place,
      bad: '{"!jq": "{email: .email, since: (now * 1000 - «7 * 86400»)}"}',
      good: '{"!jq": "{email: .email, since: ((now - 7 * 86400) * 1000)}"}',
    },
  ],
});

const wrongFactor = defineRule<{ by: string; unit: string; number: number; operator: string }>({
  id: "jq/wrong-factor",
  severity: "warning",
  summary: "A number is converted in the wrong direction, or by a factor that fits no unit",
  why: "Cents are divided by 100, and milliseconds by 1,000. Converted any other way, the number is wrong by a large factor, for every record.",
  guards: ["D23"],
  message: ({ by, unit, number, operator }) =>
    `\`${by}\` counts ${unit}, and after \`${operator} ${number}\` it's in no unit that fits here.`,
  because: ({ by, unit, operator, number }) => [
    `\`${by}\`: ${unit}`,
    `\`${operator} ${number}\`: no unit that fits here`,
  ],
  help: ({ unit }) =>
    unit === "cents"
      ? "Divide by 100."
      : unit === "milliseconds"
        ? "Divide by 1000."
        : "Use the factor between the two units.",
  examples: [
    {
      title: "Cents times a hundred",
      ...place,
      bad: '{"!jq": "{email: .email, price: («.price_cents * 100»)}"}',
      good: '{"!jq": "{email: .email, price: (.price_cents / 100)}"}',
    },
    {
      title: "Minutes where seconds come",
      ...place,
      bad: '{"!jq": "{email: .email, on: («.created_ms / 60000» | todate)}"}',
      good: '{"!jq": "{email: .email, on: (.created_ms / 1000 | todate)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [mixedUnits, wrongFactor],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!/[-+*/<>]/.test(program.node.value)) return;
      for (const node of nodesOfKind(program, "Arithmetic")) {
        if (!tellParts(node, program, report)) tellMixed(node, program, report, model);
        tellFactor(node, program, report, model);
      }
      for (const ways of alternativesIn(program)) tellWays(ways, program, report);
      for (const { left, right } of nodesOfKind(program, "Comparison"))
        tellPair(left, right, program, report, model);
      for (const { stages } of nodesOfKind(program, "Pipeline"))
        for (const [index, stage] of stages.entries()) {
          const before = stages.slice(0, index).findLast((each) => !keepsUnit(each)) as
            | Expression
            | undefined;
          if (stage.kind === "Call" && takesSeconds.has(stage.name.text) && before !== undefined)
            tellTime(before, program, report, model);
        }
    },
  },
};
export default module;

const takesSeconds: ReadonlySet<string> = new Set([
  "todate",
  "todateiso8601",
  "strftime",
  "gmtime",
  "strflocaltime",
]);

/** What stands in each other's place: the branches of an `if`, and what is tried and what is taken where that fails. */
const alternativesIn = (program: JqProgram): readonly (readonly Expression[])[] => [
  ...nodesOfKind(program, "If").map(({ branches, otherwise }) => [
    ...branches.map(({ body }) => body),
    ...(otherwise === undefined ? [] : [otherwise]),
  ]),
  ...nodesOfKind(program, "Try").map(({ body, handler }) => [
    body,
    ...(handler === undefined ? [] : [handler]),
  ]),
];

/** `if .paid_on == null then (now | floor) else (.paid_on | fromdate * 1000) end` */
function tellWays(ways: readonly Expression[], program: JqProgram, report: Report): void {
  if (ways.length < 2 || !/\bnow\b/.test(program.node.value)) return;
  const units = ways.map((way) => timeUnitOf(way, program));
  const [clock, other] = [units.indexOf("seconds"), units.indexOf("milliseconds")];
  const [first, second] = [ways[clock], ways[other]];
  if (first === undefined || second === undefined) return;
  // A name alone may count a length of time.
  if (!ofClock.test(textAt(first, program)) || !ofClock.test(textAt(second, program))) return;
  report(mixedUnits, partAt(program, second), {
    left: excerpt(textAt(first, program)),
    leftUnit: "seconds",
    right: excerpt(textAt(second, program)),
    rightUnit: "milliseconds",
  });
}

const ofClock = /\b(?:now|mktime|fromdate)/;

/** `floor` and what else leaves it what it counts. */
const keepsUnit = (stage: Node): boolean =>
  stage.kind === "Call" && /^(?:floor|round|ceil|trunc|tonumber|fabs|abs)$/.test(stage.name.text);

/** The hours and the minutes of one text, of which only the hours are made seconds, or both by the same factor. */
function tellParts(
  node: Extract<Expression, { kind: "Arithmetic" }>,
  program: JqProgram,
  report: Report,
): boolean {
  const parts = clockParts(node, program);
  if (parts === undefined) return false;
  const { hours, minutes, factor, byHours } = parts;
  const by = excerpt(textAt(minutes, program));
  const leftUnit = byHours === 60 ? "minutes" : byHours === 3_600 ? "seconds" : "milliseconds";
  if (factor === 1)
    report(mixedUnits, partAt(program, minutes), {
      left: excerpt(textAt(hours, program)),
      leftUnit,
      right: by,
      rightUnit: "minutes",
    });
  else report(wrongFactor, partAt(program, minutes), { by, unit: "minutes", number: factor, operator: "*" });
  return true;
}

function tellMixed(
  { first, rest }: Extract<Expression, { kind: "Arithmetic" }>,
  program: JqProgram,
  report: Report,
  model: Model,
): void {
  // `a - b / c` is one sum with what is divided as its operand.
  if (!rest.every(({ operator }) => operator === "+" || operator === "-")) return;
  for (const { operand } of rest) {
    const isOfSeconds = secondsIn(operand) !== undefined;
    if (isOfSeconds && unitOf(first, program, model)?.unit === "milliseconds") {
      report(mixedUnits, partAt(program, operand), {
        left: textAt(first, program),
        leftUnit: "milliseconds",
        right: textAt(operand, program),
        rightUnit: "seconds",
      });
      return;
    }
    if (
      isDaysInHours(operand) &&
      ofClock.test(textAt(first, program)) &&
      unitOf(first, program)?.unit === "seconds"
    ) {
      report(mixedUnits, partAt(program, operand), {
        left: textAt(first, program),
        leftUnit: "seconds",
        right: textAt(operand, program),
        rightUnit: "hours",
      });
      return;
    }
    if (tellPair(first, operand, program, report, model)) return;
  }
}

/** `7 * 24`: a number of days in hours by how it is written. */
function isDaysInHours(given: Expression): boolean {
  const node = bare(given);
  const [step, ...others] = node.kind === "Arithmetic" ? node.rest : [];
  return (
    node.kind === "Arithmetic" &&
    others.length === 0 &&
    step?.operator === "*" &&
    constantOf(step.operand) === 24 &&
    typeof constantOf(node.first) === "number"
  );
}

/** `7 * 86400`: a number of seconds by how it is written. */
function secondsIn(node: Expression): number | undefined {
  if (node.kind === "Group") return secondsIn(node.body);
  const factors =
    node.kind === "Arithmetic" ? [node.first, ...node.rest.map(({ operand }) => operand)] : [node];
  const numbers = factors.map(numberOf);
  const isLength = numbers.some((each) => each === 86_400 || each === 3_600);
  // `30 * 60`
  const isOfMinutes = numbers.length > 1 && numbers.includes(60);
  return (isLength || isOfMinutes) && !numbers.includes(1_000) ? numberOf(node) : undefined;
}

function tellPair(
  first: Expression,
  second: Expression,
  program: JqProgram,
  report: Report,
  model: Model,
): boolean {
  // That is often a constant, which counts nothing.
  const right = unitOf(second, program, model);
  const left = right === undefined ? undefined : unitOf(first, program, model);
  if (left === undefined || right === undefined || left.unit === right.unit) return false;
  if (left.isChosenTime || right.isChosenTime) return false;
  if (!areComparable(left.unit, right.unit)) return false;
  report(mixedUnits, partAt(program, second), {
    left: textAt(first, program),
    leftUnit: nameOfUnit(left.unit),
    right: textAt(second, program),
    rightUnit: nameOfUnit(right.unit),
  });
  return true;
}

/** Cents that are multiplied: nobody counts what comes of it. */
function tellFactor(
  node: Extract<Expression, { kind: "Arithmetic" }>,
  program: JqProgram,
  report: Report,
  model: Model,
): void {
  const [step] = node.rest;
  const number = step === undefined ? undefined : numberOf(step.operand);
  const counted = number === undefined ? undefined : unitOf(node.first, program, model);
  if (counted === undefined || step === undefined || number === undefined) return;
  // Nothing counts thousands of seconds. What is left of a token's life may be in milliseconds at some services.
  const isThousandth = counted.unit === "seconds" && step.operator === "/" && number === 1_000;
  if (isThousandth && !counted.converted && !/expires/i.test(counted.by))
    tellWrong(node, counted, step.operator, number, program, report);
  if (counted.unit !== "minor") return;
  const isOther =
    step.operator === "*"
      ? number === 100 || number === 1_000
      : // Units of money with a thousand parts are few, and none of them is called so.
        step.operator === "/" &&
        node.rest.length === 1 &&
        !counted.converted &&
        (otherPowers.has(number) || (number === 1_000 && /cent|penn|pence/i.test(counted.by))) &&
        !isReckonedOn(node, program);
  if (isOther && !isShare(node, step.operator) && !isOfOtherSize(node, program))
    tellWrong(node, counted, step.operator, number, program, report);
}

/** `.paid_cents * 100 / .total_cents`: a share in percent. */
const isShare = (
  { rest: [, ...others] }: Extract<Expression, { kind: "Arithmetic" }>,
  operator: string,
): boolean =>
  operator === "*" && others.some((each) => each.operator === "/" && numberOf(each.operand) === undefined);

/** Whether the member that gets it, or a comment, says that the service counts otherwise: `price_k`, `in hundredths of a cent`. */
const isOfOtherSize = ({ start, end }: Node, program: JqProgram): boolean =>
  nodesOfKind(program, "Entry").some(
    ({ key, value }) =>
      value !== undefined && value.start <= start && end <= value.end && ofOtherSize.test(nameOf(key) ?? ""),
  ) ||
  commentsAround(program.node, []).some(({ value }) =>
    /\b(?:tenths?|hundredths?|thousandths?|thousands?|millionths?|mills|basis points)\b/i.test(value),
  );

const ofOtherSize =
  /(?:^|_)(?:k|thousands?|mills?|millis?|micros?|percent|pct|share|ratio|bps|points)$|[a-z](?:Micros|Percent|Share|Ratio|Thousands|K)$/;

/** Whether the stages behind go on with it: `.total_cents / 10 | round / 10`. */
const isReckonedOn = (node: Expression, program: JqProgram): boolean =>
  nodesOfKind(program, "Pipeline").some(({ stages }) => {
    const index = stages.findIndex((stage) => stage.start <= node.start && node.end <= stage.end);
    return stages.slice(index + 1).some((stage) => index >= 0 && /[*/]/.test(textAt(stage, program)));
  });

/** A hundred with a nought less or more. */
const otherPowers: ReadonlySet<number> = new Set([10, 10_000, 100_000]);

/** What is neither seconds nor, told elsewhere, milliseconds. */
function tellTime(node: Expression, program: JqProgram, report: Report, model: Model): void {
  const inner = resolved(node, program);
  if (inner?.kind !== "Arithmetic") return;
  const counted = unitOf(inner.first, program, model);
  const [step, ...others] = inner.rest;
  const number = step === undefined ? undefined : numberOf(step.operand);
  if (step === undefined || number === undefined || others.length > 0) return;
  if (step.operator !== "*" && step.operator !== "/") return;
  if (counted === undefined) {
    // Clocks count seconds, or thousandths, millionths or billionths of one.
    const isOfNoClock =
      step.operator === "/" ? number === 100 || otherPowers.has(number) : /^10{3,}$/.test(`${number}`);
    const by = excerpt(textAt(inner.first, program));
    if (isOfNoClock) tellWrong(inner, { by, unit: "milliseconds" }, step.operator, number, program, report);
    return;
  }
  const unit = converted(counted.unit, step.operator, number);
  // A thousandth of seconds is told wherever it stands.
  if (counted.unit === "seconds" && step.operator === "/" && number === 1_000) return;
  // What a clock gives is told as milliseconds, whatever it is called.
  if (unit === "milliseconds" && (counted.unit !== "seconds" || timeUnitOf(inner, program) === unit)) return;
  if (unit === "seconds") return;
  if (!areComparable(counted.unit, "seconds")) return;
  tellWrong(inner, counted, step.operator, number, program, report);
}

function tellWrong(
  node: Expression,
  { by, unit }: Pick<Counted, "by" | "unit">,
  operator: string,
  number: number,
  program: JqProgram,
  report: Report,
): void {
  report(wrongFactor, partAt(program, node), { by, unit: nameOfUnit(unit), number, operator });
}
