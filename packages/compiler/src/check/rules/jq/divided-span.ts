import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { unitOf } from "../../../flow/counted.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import { isTimeName } from "../../../flow/protocol/time-names.ts";
import { scaled } from "../../../flow/scaled.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const dividedSpan = defineRule<{ text: string; time: string; number: number }>({
  id: "jq/divided-span",
  severity: "warning",
  summary: "A length of time is divided by the seconds of a unit, and added to seconds",
  why: "Days become seconds by multiplying with 86,400. Divided instead, thirty days are less than a millisecond: every deadline is the moment itself, and an import reaches back to nothing.",
  guards: ["D23"],
  message: ({ text, time, number }) =>
    `\`${time}\` is a time, and \`${text}\` divides by ${number} the length of time that goes with it.`,
  because: ({ text, number }) => [
    `thirty units of ${number} are ${30 * number}`,
    `\`${text}\` has ${Number((30 / number).toPrecision(1))} instead`,
  ],
  help: ({ number }) => `Multiply by ${number}.`,
  examples: [
    {
      ...place,
      bad: '{"!jq": "{email: .email, until: (now + «.trial / 86400» | todate)}"}',
      good: '{"!jq": "{email: .email, until: (now + .trial * 86400 | todate)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [dividedSpan],
  checks: {
    program(program, report) {
      if (!/\/ *(?:7|30|31|60|365|3600|86400|604800|3600000|86400000)\b/.test(program.node.value)) return;
      for (const { first, rest } of nodesOfKind(program, "Arithmetic")) {
        if (!rest.every(({ operator }) => operator === "+" || operator === "-")) continue;
        const terms = [first, ...rest.map(({ operand }) => operand)];
        const time = terms.find((each) => isClock(each, program));
        if (time === undefined || isOtherwiseCounted(time, program)) continue;
        for (const term of terms) {
          const number = term === time ? undefined : divisorOf(term, program);
          if (number === undefined) continue;
          const args = {
            text: excerpt(textAt(term, program), 60),
            time: excerpt(textAt(time, program)),
            number,
          };
          report(dividedSpan, { node: program.node, from: term.start, to: term.end }, args);
        }
      }
    },
  },
};
export default module;

const divisors: readonly number[] = [60, 3_600, 86_400, 604_800, 3_600_000, 86_400_000];
/** How many days a unit has: with the seconds of a day behind them they are meant as factors, too. */
const days: readonly number[] = [7, 30, 31, 365];

/** What a term is divided by, where that is a length of a unit and nothing says that the term has seconds itself. */
function divisorOf(given: Expression, program: JqProgram): number | undefined {
  const term = bare(given);
  if (term.kind !== "Arithmetic" || !term.rest.some(({ operator }) => operator === "/")) return undefined;
  const { base, factor } = scaled(term, program);
  const isDividedBy = (number: number): boolean =>
    term.rest.some(
      ({ operator, operand }) => operator === "/" && textAt(bare(operand), program) === `${number}`,
    );
  // With the seconds of an hour or a day behind it, it is converted otherwise.
  const number =
    divisors.find((each) => isDividedBy(each) && factor * each > 0.9 && factor < 0.6) ??
    days.find((each) => isDividedBy(each) && Math.abs(factor * each - 86_400) < 1);
  if (number === undefined || base === term) return undefined;
  const counted = unitOf(term, program);
  return counted === undefined || counted.isChosenTime === true ? number : undefined;
}

/** `now`, `(.at | fromdate)`, and a time of a record that numbers are added to. */
function isClock(node: Expression, program: JqProgram): boolean {
  const unit = unitOf(node, program)?.unit;
  if (unit !== undefined) return unit === "seconds" || unit === "milliseconds";
  const name = lastName(node);
  return name !== undefined && isTimeName(name) && /_at$|[a-z]At$/.test(name);
}

/** `opens_at is the hour of the day`: a length in minutes becomes hours for it. */
function isOtherwiseCounted(time: Expression, { node }: JqProgram): boolean {
  const name = lastName(bare(time));
  if (name === undefined) return false;
  const said = new RegExp(
    `(?<![\\w-])${escapedPattern(name)} (?:is|counts|has|comes)\\b[^.;]{0,20}\\b(?:hours?|minutes|days)\\b`,
  );
  return commentsAround(node, []).some(({ value }) => said.test(value));
}
