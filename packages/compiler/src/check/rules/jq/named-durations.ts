import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { unitOf } from "../../../flow/counted.ts";
import { durationOfName } from "../../../flow/duration-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import { areComparable, converted, type Unit, unitOfName, unitOfTitle } from "../../../flow/unit.ts";
import { rounds, unrounded } from "../../../flow/unrounded.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const otherSpan = defineRule<{ text: string; by: string; unit: string; wanted: string; number: number }>({
  id: "jq/other-span",
  severity: "warning",
  summary: "A length of time is converted by the factor of another unit",
  why: "A day has 86,400 seconds, 1,440 minutes and 24 hours. With the factor of another unit, three nights become an hour or a month. Nothing fails.",
  guards: ["D23"],
  message: ({ text, by, unit, wanted, number }) =>
    `\`${by}\` counts ${unit}, and \`${text}\` is used for ${wanted}: ${number} is the factor of another unit.`,
  because: ({ by, unit, wanted, number }) => [
    `\`${by}\`: ${unit}`,
    `what comes of it is taken for ${wanted}`,
    `between the two lies another factor than ${number}`,
  ],
  help: ({ unit, wanted }) => `Use the factor between ${unit} and ${wanted}.`,
  examples: [
    {
      title: "Nights that are added to seconds",
      ...place,
      bad: '{"!jq": ". as $b | {email: .email, leaves: (($b.arrives | fromdate) + «$b.nights * 1440» | todate)}"}',
      good: '{"!jq": ". as $b | {email: .email, leaves: (($b.arrives | fromdate) + $b.nights * 86400 | todate)}"}',
    },
    {
      title: "Seconds that are divided into days",
      ...place,
      bad: '{"!jq": "{email: .email, days_left: («((.ends_at | fromdate) - now) / 3600» | floor)}"}',
      good: '{"!jq": "{email: .email, days_left: (((.ends_at | fromdate) - now) / 86400 | floor)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherSpan],
  checks: {
    // Comments, and labels of form fields, say what is counted.
    reach: "saved",
    program(program, report, model) {
      const { node, diagnostics } = program;
      const isNamed = /seconds|minutes|hours|days|nights|weeks/i.test(node.value);
      if (diagnostics.length > 0 || (!isNamed && !factorOfClock.test(node.value))) return;
      for (const sum of nodesOfKind(program, "Arithmetic"))
        if (sum.rest.every(({ operator }) => operator === "+" || operator === "-"))
          tellTerms([sum.first, ...sum.rest.map(({ operand }) => operand)], sum, program, report, model);
      for (const { left, right, operator } of nodesOfKind(program, "Comparison"))
        if (operator !== "==" && operator !== "!=")
          tellTerms([left, right], undefined, program, report, model);
      if (!isNamed) return;
      for (const { key, value } of nodesOfKind(program, "Entry"))
        if (value !== undefined && !isToldByTitle(nameOf(key), value, program, model))
          tellMember(nameOf(key), value, program, report);
    },
  },
};
export default module;

/** Factors between units of time, in seconds or in milliseconds; another one may be for something else. */
const factors: ReadonlySet<number> = new Set([
  24, 60, 168, 420, 1_000, 1_440, 3_600, 10_080, 25_200, 60_000, 86_400, 604_800, 1_440_000, 3_600_000,
  86_400_000, 604_800_000,
]);

const factorOfClock = /(?<![\d.])(?:(?:60|3600|86400|604800)(?:000)?|1440)(?![\d.])/;

/** `… + .nights * 1440`, beside seconds, or where the sum is made a date of. */
function tellTerms(
  terms: readonly Expression[],
  whole: Expression | undefined,
  program: JqProgram,
  report: Report,
  model: Model,
): void {
  const sum =
    terms.map((each) => unitOf(each, program)?.unit).find((unit) => isOfClock(unit)) ??
    (factorOfClock.test(program.node.value)
      ? (terms.map((each) => unitOf(each, program, model)?.unit).find((unit) => isOfClock(unit)) ??
        (whole !== undefined && isMadeDate(whole, program) ? "seconds" : undefined))
      : undefined);
  if (sum === undefined) return;
  for (const term of terms) {
    const product = bare(term);
    const isProduct = product.kind === "Arithmetic" && product.rest.every(({ operator }) => operator === "*");
    const parts = isProduct ? [product.first, ...product.rest.map(({ operand }) => operand)] : [product];
    const numbers = parts.map(numberOf);
    const [counted, ...more] = parts.filter((_, index) => numbers[index] === undefined);
    if (counted === undefined && sum === "seconds") {
      const odd = oddSpan(numbers);
      if (odd !== undefined) tell(product, parts[odd.count]!, odd.unit, sum, odd.factor, program, report);
    }
    if (counted === undefined || more.length > 0) continue;
    const unit = durationIn(counted, program) ?? documentedIn(counted, program, model);
    const number = numbers.reduce<number>((all, each) => all * (each ?? 1), 1);
    // Where both sides have a unit of their own, the two are told as mixed.
    if (unit === undefined || unitOf(product, program, model)?.unit !== undefined) continue;
    if (number !== 1 && !factors.has(number)) continue;
    if (converted(unit, "*", number) !== sum) tell(product, counted, unit, sum, number, program, report);
  }
}

/** What a written number of seconds was meant to count: `30 * 1440` are days in minutes, and `365 * 3600` the days of a year. */
function oddSpan(
  numbers: readonly (number | undefined)[],
): { readonly unit: Unit; readonly factor: number; readonly count: 0 | 1 } | undefined {
  const [first, second, ...others] = numbers;
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  const count = first > second ? 1 : 0;
  const [factor, number] = first > second ? [first, second] : [second, first];
  if (!Number.isInteger(number)) return undefined;
  // With 60 it would be seconds.
  if (factor === 1_440 && number !== 60) return { unit: "days", factor, count };
  return factor === 3_600 && daysOfYears.has(number) ? { unit: "days", factor, count } : undefined;
}

const daysOfYears: ReadonlySet<number> = new Set([365, 366, 730, 1_095]);

/** `days_left: (… / 3600)`, of seconds. */
function tellMember(name: string | undefined, value: Expression, program: JqProgram, report: Report): void {
  const wanted = name === undefined ? undefined : durationOfName(name);
  const named = bare(value);
  const written = named.kind === "Variable" ? bare(boundTo(program, named) ?? named) : named;
  // `if .state == "late" then … else 0 end`
  if (written.kind === "If" && wanted !== undefined) {
    const bodies = [...written.branches.map(({ body }) => body), written.otherwise];
    for (const body of bodies) if (body !== undefined) tellMember(name, body, program, report);
    return;
  }
  const reckoned = bare(unrounded(written));
  if (wanted === undefined || reckoned.kind !== "Arithmetic") return;
  const step = reckoned.rest.at(-1);
  const number = step === undefined ? undefined : numberOf(step.operand);
  const first = timed(reckoned, program);
  if (step === undefined || first === undefined || number === undefined || !factors.has(number)) return;
  if (step.operator !== "/" && step.operator !== "*") return;
  const unit = unitOf(first, program)?.unit ?? durationIn(first, program) ?? spanOf(first, program);
  if (unit === undefined || !areComparable(unit, "seconds")) return;
  if (converted(unit, step.operator, number) !== wanted)
    tell(reckoned, first, unit, wanted, number, program, report);
}

/** What is converted in the end: the one factor of `.lessons * .lesson_minutes` that is a length of time, beside a number of pieces. */
function timed(
  { first, rest }: Extract<Expression, { kind: "Arithmetic" }>,
  program: JqProgram,
): Expression | undefined {
  const before = rest.slice(0, -1);
  if (before.length === 0) return first;
  const parts = [first, ...before.map(({ operand }) => operand)];
  if (rest.at(-1)?.operator !== "/" || before.some(({ operator }) => operator !== "*")) return undefined;
  const [one, ...others] = parts.filter((each) => durationIn(each, program) !== undefined);
  const isRead = parts.every((each) => bare(each).kind === "Postfix" || bare(each).kind === "Hole");
  return isRead && others.length === 0 ? one : undefined;
}

/** Seconds between two times of which the program makes a date: `.left_at - .came_at` beside `.came_at | todate`. */
function spanOf(given: Expression, program: JqProgram): Unit | undefined {
  const node = bare(given);
  const [step, ...others] = node.kind === "Arithmetic" ? node.rest : [];
  if (node.kind !== "Arithmetic" || step?.operator !== "-" || others.length > 0) return undefined;
  const times = [node.first, step.operand].map((each) => textAt(bare(each), program));
  const isDated = nodesOfKind(program, "Pipeline").some(({ stages: [time, made] }) => {
    if (time === undefined || !isExpression(time) || made?.kind !== "Call") return false;
    return (
      /^(?:todate|todateiso8601|strftime|gmtime)$/.test(made.name.text) &&
      times.includes(textAt(bare(time), program))
    );
  });
  return isDated ? "seconds" : undefined;
}

/** Whether what comes of it has a unit, and the member another one by its name or by the title of the field that customers map. */
function isToldByTitle(
  name: string | undefined,
  value: Expression,
  program: JqProgram,
  model: Model,
): boolean {
  if (name === undefined || unitOf(value, program) === undefined) return false;
  if (unitOfName(name) !== undefined) return true;
  const { unit } = program.command;
  const title = unit?.kind === "workflow" ? offeredTitles(unit, model).get(name) : undefined;
  return title !== undefined && unitOfTitle(title) !== undefined;
}

const ofWork = /(?<![a-z])(?:business|work(?:ing|days)?|office|opening|school|person|man)[\s_A-Z-]/;

/** What a comment says that it counts, or the label of a form field, also in a sum: `(1 + $weeks)`. */
function documentedIn(counted: Expression, program: JqProgram, model: Model): Unit | undefined {
  const given = unitOf(counted, program, model);
  if (given === undefined || given.isChosenTime === true || given.converted) return undefined;
  // A working day has no 24 hours, whatever its name ends with.
  if (ofWork.test(given.by)) return undefined;
  return areComparable(given.unit, "seconds") ? given.unit : undefined;
}

/** `(.done_at + .days * 86400) | floor | todate` */
const isMadeDate = (sum: Expression, program: JqProgram): boolean =>
  nodesOfKind(program, "Pipeline").some(({ stages }) => {
    const index = stages.findIndex((stage) => isExpression(stage) && bare(stage) === sum);
    const next =
      index < 0
        ? undefined
        : stages.slice(index + 1).find((stage) => !(stage.kind === "Call" && rounds(stage)));
    return (
      next?.kind === "Call" && /^(?:todate|todateiso8601|strftime|strflocaltime|gmtime)$/.test(next.name.text)
    );
  });

const isOfClock = (unit: Unit | undefined): boolean => unit === "seconds" || unit === "milliseconds";

/** What a member or a variable counts by its name, as a number or as it is. */
function durationIn(given: Expression, program: JqProgram): Unit | undefined {
  const node = bare(given);
  switch (node.kind) {
    case "Postfix": {
      const last = node.suffixes.findLast(({ kind }) => kind !== "Optional");
      return last?.kind === "Field" && last.key.kind === "Name" ? durationOfName(last.key.text) : undefined;
    }
    case "Hole": {
      const counted = unitOf(node, program);
      if (counted?.isChosenTime) return undefined;
      return counted?.unit ?? durationOfName(program.holes[node.hole]?.syntax.path.at(-1)?.text ?? "");
    }
    case "Variable": {
      const source = boundTo(program, node);
      // What a definition is given is known by its name alone: `def on($days): now + $days * 86400`.
      return source === undefined ? durationOfName(node.name) : durationIn(source, program);
    }
    case "Alternative":
      return durationIn(node.operands[0]!, program);
    case "Pipeline": {
      const [first, ...rest] = stagesOf(node);
      const isNumber = rest.every((stage) => stage.kind === "Call" && stage.name.text === "tonumber");
      return first !== undefined && isNumber ? durationIn(first, program) : undefined;
    }
    default:
      return undefined;
  }
}

function tell(
  reckoned: Expression,
  counted: Expression,
  unit: Unit,
  wanted: Unit,
  number: number,
  program: JqProgram,
  report: Report,
): void {
  report(
    otherSpan,
    { node: program.node, from: reckoned.start, to: reckoned.end },
    { text: excerpt(textAt(reckoned, program)), by: excerpt(textAt(counted, program)), unit, wanted, number },
  );
}
