import type { Expression, Node } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver, unitOf } from "../../../flow/counted.ts";
import {
  type CountedTime,
  secondsOf,
  type TimeUnit,
  timeCounted,
  unitWith,
} from "../../../flow/durations.ts";
import { fieldOf } from "../../../flow/field-of.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { scaled } from "../../../flow/scaled.ts";
import { spanOf } from "../../../parse/document.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const otherDuration = defineRule<{
  id: string;
  text: string;
  unit: string;
  taken: string;
  display: string;
  value: string;
  instead: string | undefined;
}>({
  id: "value/other-duration",
  severity: "warning",
  summary: "A length of time that was chosen is taken for another unit than its options say",
  why: "What customers choose by its words comes as a number, and the program says by its factor what that counts. With another factor “a day” is an hour or a month, for everybody who chooses it, and nothing fails.",
  guards: ["D12", "field.options", "field_option.display", "field_option.value"],
  message: ({ id, text, unit, taken, display, value }) =>
    `\`${text}\` takes \`${id}\` for ${taken}, but its options count ${unit}: “${display}” is ${value}.`,
  because: ({ display, value, unit, taken }) => [
    `a customer chooses “${display}”: ${value}`,
    `the program counts ${value} in ${taken} instead of ${unit}`,
  ],
  help: ({ instead }) => (instead === undefined ? undefined : `Multiply by ${instead}.`),
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "delay", "label": "Send it after", "type": "dropdown", "options": [{"display": "A day", "value": "1"}, {"display": "A week", "value": "7"}]}',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, at: (now + (${custom_data.delay.value} | tonumber) * «3600» | todate)}"}, {"!http": {"method": "POST", "path": "/letters", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, at: (now + (${custom_data.delay.value} | tonumber) * 86400 | todate)}"}, {"!http": {"method": "POST", "path": "/letters", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email, at: (now + (${custom_data.delay.value} | tonumber) * 86400 | todate)}"}, {"!http": {"method": "POST", "path": "/letters", "body": "${piped_content.1}"}}]}',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) =>
    instead === undefined
      ? []
      : [
          {
            title: `Multiply by ${instead}`,
            safe: false,
            edits: [{ ...spanOf(document, at), newText: instead }],
          },
        ],
});

const module: RuleModule = {
  rules: [otherDuration],
  checks: {
    // Intakes use what is chosen in workflows, and comments say what a time counts.
    reach: "saved",
    program(program, report, model) {
      if (!/[-+<>]/.test(program.node.value) || !program.node.value.includes("custom_data")) return;
      const dated = readAsDates(program);
      for (const node of nodesOfKind(program, "Arithmetic")) {
        const { first, rest } = node;
        if (!rest.every(({ operator }) => operator === "+" || operator === "-")) continue;
        const terms = [first, ...rest.map(({ operand }) => operand)];
        tell(terms, program, report, model, dated.has(node) ? "seconds" : undefined);
      }
      for (const { left, right, operator } of nodesOfKind(program, "Comparison"))
        if (operator !== "==" && operator !== "!=") tell([left, right], program, report, model);
    },
  },
};
export default module;

/** Tells of a choice among terms of which another is a time. */
function tell(
  terms: readonly Expression[],
  program: JqProgram,
  report: Report,
  model: Model,
  whole?: "seconds",
): void {
  for (const term of terms) {
    const chosen = chosenTime(term, program);
    if (chosen === undefined) continue;
    const other =
      terms
        .filter((each) => each !== term)
        .map((each) => unitOf(each, program, model)?.unit)
        .find((unit) => unit === "seconds" || unit === "milliseconds") ?? whole;
    if (other === undefined) continue;
    const scale = other === "seconds" ? 1 : 1_000;
    const { counted, factor, id, at } = chosen;
    const taken = unitWith(factor / scale);
    // Milliseconds that are read as a date are told as that.
    const isTold = unitWith(factor / scale / 1_000) === counted.unit && readsDate.test(program.node.value);
    if (taken === counted.unit || isTold) continue;
    // `A working day has 8 hours.`
    if (taken === undefined && isSaidLength(factor / scale, program, model)) continue;
    const text = excerpt(textAt(term, program), 60);
    report(
      otherDuration,
      { node: program.node, from: at.start, to: at.end },
      {
        id,
        text,
        unit: counted.unit,
        taken: taken ?? `${factor / scale} seconds each`,
        display: counted.display,
        value: `${counted.value}`,
        instead: chosen.isFactor ? written(counted.unit, scale) : undefined,
      },
    );
  }
}

/** The sums of which the next stage makes a date: they are in seconds. */
function readAsDates(program: JqProgram): ReadonlySet<Node> {
  const found = new Set<Node>();
  for (const { stages } of nodesOfKind(program, "Pipeline"))
    for (const [index, stage] of stages.entries()) {
      const before = stage.kind === "Call" && readsDate.test(stage.name.text) ? stages[index - 1] : undefined;
      if (before?.kind === "Arithmetic") found.add(before);
      if (before?.kind === "Group") found.add(bare(before));
    }
  return found;
}

/** Whether a comment says that something takes so long. */
const isSaidLength = (seconds: number, { command }: JqProgram, model: Model): boolean =>
  commentsOver(command, model).some(({ value }) =>
    [...value.matchAll(/\b(\d+(?:\.\d+)?) (seconds|minutes|hours|days)\b/g)].some(
      ([, number, unit]) => Number(number) * Number(secondsOf[unit as TimeUnit]) === seconds,
    ),
  );

const readsDate = /\b(?:todate|todateiso8601|strftime|gmtime|strflocaltime)\b/;

const written = (unit: TimeUnit, scale: number): string =>
  scale === 1 ? secondsOf[unit] : unit === "seconds" ? "1000" : `${secondsOf[unit]} * 1000`;

interface Chosen {
  readonly id: string;
  readonly counted: CountedTime;
  readonly factor: number;
  /** The factors behind what was chosen, or all of it. */
  readonly at: { readonly start: number; readonly end: number };
  readonly isFactor: boolean;
}

/** `(${custom_data.delay.value} | tonumber) * 86400`: what a customer chose, and what it is multiplied by. */
function chosenTime(term: Expression, program: JqProgram): Chosen | undefined {
  const written = bare(term);
  const bound = written.kind === "Variable" ? boundTo(program, written) : undefined;
  const node = bound === undefined ? written : bare(bound);
  const last = node.kind === "Pipeline" ? node.stages.at(-1) : undefined;
  // `VALUE | tonumber * 86400`
  if (last?.kind === "Arithmetic") {
    const { base, factor } = scaled(node, program);
    const field = factor === 1 ? undefined : fieldOf(base, program);
    const counted = field === undefined ? undefined : timeCounted(field);
    return field?.id === undefined || counted === undefined
      ? undefined
      : { id: field.id, counted, factor, at: node, isFactor: false };
  }
  const isProduct = node.kind === "Arithmetic" && node.rest.every(({ operator }) => operator === "*");
  const factors = isProduct ? [node.first, ...node.rest.map(({ operand }) => operand)] : [node];
  const others = factors.filter((each) => numberOf(each) === undefined);
  const [own, ...more] = others;
  const field = own === undefined || more.length > 0 ? undefined : fieldOf(withoutSome(own), program);
  const counted = field === undefined ? undefined : timeCounted(field);
  if (field?.id === undefined || counted === undefined) return undefined;
  const numbers = factors.filter((each) => each !== own);
  const factor = numbers.reduce((product, each) => product * numberOf(each)!, 1);
  const isFactor = factors[0] === own && numbers.length > 0;
  const at = isFactor ? { start: numbers[0]!.start, end: numbers.at(-1)!.end } : node;
  return { id: field.id, counted, factor, at, isFactor };
}

/** `$days` of `($days - 1)`: one more or less counts the same. */
function withoutSome(given: Expression): Expression {
  const node = bare(given);
  if (node.kind !== "Arithmetic") return given;
  const isShifted = node.rest.every(
    ({ operator, operand }) => (operator === "+" || operator === "-") && numberOf(operand) !== undefined,
  );
  return isShifted ? node.first : given;
}
