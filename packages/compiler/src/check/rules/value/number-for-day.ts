import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, defines, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { saysAround } from "../../../flow/said/of-name.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const numberForDay = defineRule<{ name: string; text: string; other: string }>({
  id: "value/number-for-day",
  severity: "warning",
  summary: "A day is a number of seconds, where the app writes other days as dates",
  why: "`due_on` is a day. A number of seconds, mostly with a fraction, isn't one: a service refuses it, and a person can't read it in a contact.",
  guards: ["command.!jq", "D23"],
  message: ({ name, text, other }) =>
    `\`${name}\` becomes a number: \`${text}\`. \`${other}\` is written as a date.`,
  because: ({ name, other }) => [
    `\`${other}\`: a date such as 2030-05-31`,
    `\`${name}\`: a number such as 1906416000`,
  ],
  help: () => 'Write it as a date: `| strftime("%Y-%m-%d")`.',
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, born_on: .born_at[0:10], due_on: («now + 7 * 86400»)}"}',
      good: '{"!jq": "{email: .email, born_on: .born_at[0:10], due_on: (now + 7 * 86400 | strftime(\\"%Y-%m-%d\\"))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [numberForDay],
  checks: {
    document(model, report) {
      const all = days(model);
      const written = all.find(({ isWritten }) => isWritten);
      if (written === undefined) return;
      for (const { program, name, value, isNumber } of all)
        if (isNumber && !isSaidNumber(program, name, model))
          report(numberForDay, partAt(program, value), {
            name,
            text: excerpt(textAt(value, program)),
            other: written.name,
          });
    },
  },
};
export default module;

/** Whether a comment or the title says that a number is meant. */
function isSaidNumber({ command }: JqProgram, name: string, model: Model): boolean {
  const { unit } = command;
  const title = unit?.kind === "workflow" ? offeredTitles(unit, model).get(name) : undefined;
  return asSeconds.test(title ?? "") || saysAround(asSeconds, command, model);
}

const asSeconds = /\b(?:unix|epoch|seconds|timestamp)\b/i;

/** The members that are days by their names, and what makes them. */
const days = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    if (!/(?:on|date|day)"?\s*:/i.test(program.node.value)) return [];
    return nodesOfKind(program, "Object").flatMap(({ entries }) =>
      entries.flatMap(({ key, value }) => {
        const name = nameOf(key);
        if (name === undefined || value === undefined || !dayName.test(name)) return [];
        const made = branchOf(value);
        return [
          {
            program,
            name,
            value: made,
            isWritten: isWritten(made, program),
            isNumber: isSeconds(made, program),
          },
        ];
      }),
    );
  }),
);

/** `due_on`, `birth_date`, `startDate`; what is so many days isn't one. */
const dayName = /_(?:on|date|day)$|[a-z](?:On|Date)$|^date$/;

/** What stands in brackets, or in the branch that isn't null. */
function branchOf(value: Expression): Expression {
  const node = bare(value);
  if (node.kind !== "If" || node.branches.length > 1 || node.otherwise === undefined) return node;
  const [body, otherwise] = [node.branches[0]!.body, node.otherwise];
  if (constantOf(bare(body)) === null) return branchOf(otherwise);
  return constantOf(bare(otherwise)) === null ? branchOf(body) : node;
}

const isWritten = (node: Expression, program: JqProgram): boolean =>
  /(?:\bstrftime\(.*\)|\btodate|\[0?:10\])$/.test(textAt(node, program));

/** A number of seconds by how it is made: of \`now\`, by days of 86400 seconds, or of milliseconds. */
function isSeconds(given: Expression, program: JqProgram): boolean {
  if (given.kind === "Call") return given.name.text === "now";
  if (given.kind === "Pipeline") {
    const [first, last, ...others] = given.stages;
    const isRounded = last?.kind === "Call" && /^(?:floor|round|ceil)$/.test(last.name.text);
    return isRounded && others.length === 0 && isSeconds(bare(first as Expression), program);
  }
  if (given.kind !== "Arithmetic" || defines(program, "now")) return false;
  const parts = [given.first, ...given.rest.map(({ operand }) => operand)];
  const isTime = parts.some((part) =>
    nodesIn(part).some((each) => each.kind === "Call" && each.name.text === "now"),
  );
  const rest = given.rest[0];
  const isOfMilliseconds =
    given.rest.length === 1 &&
    rest?.operator === "/" &&
    constantOf(rest.operand) === 1000 &&
    isMoment(given.first, program);
  return (isTime && given.rest.every(({ operator }) => operator === "+")) || isOfMilliseconds;
}

/** `.joined_at`, `.starts_ms` */
const isMoment = (node: Expression, program: JqProgram): boolean =>
  /(?:_at|_ms|_at_ms|At|Ms|AtMs)$/.test(textAt(node, program));
