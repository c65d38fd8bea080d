import type { Expression, Node, ObjectConstruction } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { commentsOver, unitOf, unitsAround } from "../../../flow/counted.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { isMoney, unitOfName } from "../../../flow/unit.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";

const fixedDecimals = defineRule<{ text: string; member: string; decimals: string | undefined }>({
  id: "jq/fixed-decimals",
  severity: "warning",
  summary: "An amount is always converted by 100, but a comment says that currencies differ",
  why: "Yen have no smaller coin, and some currencies have a thousandth. Converted by 100 in each case, their amounts are a hundred times too small or too large, and nothing fails.",
  guards: ["D3", "D23"],
  message: ({ text, member, decimals }) =>
    `\`${text}\` takes \`${member}\` for hundredths in every currency. ${decimals === undefined ? "A comment names one that has none" : `A comment says that \`${decimals}\` tells how many decimals there are`}.`,
  because: ({ text, member }) => [`4500 yen: \`${member}\` is 4500`, `\`${text}\`: 45`],
  help: ({ decimals }) =>
    decimals === undefined
      ? "Convert by the currency."
      : `Use \`pow(10; ….${decimals.split(".").at(-1)})\` instead of 100.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/data_pipeline/_comment":
          '"total is a whole number, with as many decimals as exponent says (EUR 2, JPY 0)."',
      },
      bad: '{"!jq": "{email: .email, total: («.total / 100»)}"}',
      good: '{"!jq": "{email: .email, total: (.total / pow(10; .exponent))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [fixedDecimals],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!/[*/] *100\b/.test(program.node.value) || hasHundredthsAlone(program)) return;
      const [comment] = commentsOver(program.command, model).filter(({ value }) => differing.test(value));
      if (comment === undefined) return;
      const [, decimals] = telling.exec(comment.value) ?? [];
      const members = nodesOfKind(program, "Object").flatMap(({ entries }) => entries);
      for (const node of nodesOfKind(program, "Arithmetic")) {
        const entry = members.findLast(({ value }) => isWithin(node, value));
        const within = entry?.value;
        // What looks at the currency or its decimals converts by them; a member that is read, at least for itself.
        const around = within === undefined || isBy(node, "*") ? program.node.value : textAt(within, program);
        if (ofCurrency.test(around)) continue;
        const read = isBy(node, "/") ? amountRead(node.first, program, model) : undefined;
        const member = read ?? (isBy(node, "*") ? amountMade(entry, program, model) : undefined);
        if (member !== undefined)
          report(fixedDecimals, partAt(program, node), { text: textAt(node, program), member, decimals }, [
            { message: "the comment", at: comment },
          ]);
      }
    },
  },
};
export default module;

const ofCurrency =
  /exponent|decimals|digits|precision|\bpow\b|exp10|JPY|KRW|yen|currency *[=!]=|\bcurrency\b[^,}]{0,60}\bin\(/i;
/** A comment that names a currency without coins, beside what says how small the unit is. */
const differing = /\b(?:JPY|KRW|yen|won)\b/i;
const telling = /\b([A-Za-z_]*\.?[a-z_]*(?:exponent|decimals|digits|precision))\b/i;

/** Whether customers choose among currencies of which none is known to be without coins, or to have three decimals. */
const hasHundredthsAlone = ({ command: { unit } }: JqProgram): boolean =>
  unit?.kind === "workflow" &&
  unit.fields.some((field) => {
    const codes = staticOptions(field).map(({ value }) => value);
    return (
      codes.length > 0 &&
      codes.every(
        (code) => /^[A-Z]{3}$/.test(code) && !/^(?:JPY|KRW|VND|CLP|ISK|BHD|KWD|OMR|JOD|TND)$/.test(code),
      )
    );
  });

type Entry = ObjectConstruction["entries"][number];
type Arithmetic = Extract<Expression, { kind: "Arithmetic" }>;

/** Whether a number is converted by 100, and by nothing else. */
function isBy({ rest }: Arithmetic, operator: "*" | "/"): boolean {
  const [step, ...others] = rest;
  return step?.operator === operator && others.length === 0 && numberOf(step.operand) === 100;
}

/** The amount of money that a value is, by its name or a comment. */
function amountRead(node: Expression, program: JqProgram, model: Model): string | undefined {
  const name = nameRead(node, program);
  if (name === undefined) return undefined;
  return isMoney(name) || unitOf(node, program, model)?.unit === "minor" ? name : undefined;
}

const isWithin = (node: Node, value: Expression | undefined): boolean =>
  value !== undefined && value.start <= node.start && node.end <= value.end;

/** The amount that an entry of an object makes. */
function amountMade(entry: Entry | undefined, program: JqProgram, model: Model): string | undefined {
  const member = entry === undefined ? undefined : nameOf(entry.key);
  return member !== undefined && isAmount(member, program, model) ? member : undefined;
}

/** Whether a member that is sent is an amount in the smallest unit of its currency. */
const isAmount = (member: string, { command }: JqProgram, model: Model): boolean =>
  command.place.name !== "data_pipeline.source" &&
  (unitOfName(member) ?? unitsAround(command, model)?.(member)?.unit) === "minor";
