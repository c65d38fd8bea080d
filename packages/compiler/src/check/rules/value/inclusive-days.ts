import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { isCutToDay } from "../../../flow/protocol/state-kinds.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const pass = (days: string): string =>
  `{"!pipe": [{"_comment": "Both days count.", "!jq": "(\${custom_data.days.value} | tonumber) as $days | {email: .email, list: \${custom_data.list.value}, valid_from: (now | todate | .[0:10]), valid_until: (now + ${days} * 86400 | todate | .[0:10])}"}, {"!http": {"method": "POST", "path": "/passes", "body": "\${piped_content.1}"}}]}`;

const course = (days: string): string =>
  `{"!jq": ".course as $c | {email: .email, first_day: $c.starts_on, last_day: ($c.starts_on | strptime(\\"%Y-%m-%d\\") | mktime + ${days} * 86400 | strftime(\\"%Y-%m-%d\\"))}"}`;

const inclusiveDays = defineRule<{ text: string; name: string; first: string }>({
  id: "value/inclusive-days",
  severity: "warning",
  summary: "A span of days has one day too many, where a comment says that both ends count",
  why: "From Monday, a span of one day ends on Monday if both days count. With the number of days added, it ends on Tuesday: what was sold for one day is valid for two.",
  guards: ["command.!jq", "D23"],
  message: ({ text, name, first }) =>
    `\`${name}\` lies \`${text}\` days after \`${first}\`. A comment says that the first day counts too, so that is one day too many.`,
  because: ({ name, first, text }) => [
    `\`${text}\` is 1: \`${first}\` is Monday`,
    `\`${name}\` is Tuesday: two days, as both count`,
  ],
  help: ({ text }) => `Add \`${text} - 1\` days.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Valid for", "id": "days", "type": "dropdown", "options": [{"display": "One day", "value": "1"}, {"display": "Five days", "value": "5"}]}',
      },
      bad: pass("«$days»"),
      good: pass("($days - 1)"),
    },
    {
      title: "The first one included",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/data_pipeline/_comment":
          '"A course runs on days days in a row, the first one included."',
      },
      bad: course("«$c.days»"),
      good: course("($c.days - 1)"),
    },
  ],
});

const module: RuleModule = {
  rules: [inclusiveDays],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { node, diagnostics, command } = program;
      if (diagnostics.length > 0 || !node.value.includes("86400") || !hasComments(model)) return;
      const said = documentedClauses(command.node).find(
        ({ text }) => inclusive.test(text) && !exclusive.test(text),
      );
      if (said === undefined) return;
      for (const { entries } of nodesOfKind(program, "Object")) {
        const days = entries.flatMap(({ key, value }) => {
          const name = nameOf(key);
          const day = name === undefined || value === undefined ? undefined : dayIn(value, program);
          return day === undefined ? [] : [{ ...day, name: name! }];
        });
        for (const { name, base, added } of days) {
          if (added === undefined || !isLast(name)) continue;
          const first = days.find((each) => each.added === undefined && each.base === base);
          if (first === undefined || !isFirst(first.name)) continue;
          const text = excerpt(textAt(added, program), 30);
          report(inclusiveDays, partAt(program, added), { text, name, first: first.name }, [
            { message: "the comment", at: said.comment },
          ]);
        }
      }
    },
  },
};
export default module;

const inclusive =
  /\bboth (?:days|dates|ends) (?:count|are (?:included|counted|inclusive|valid))|\b(?:last|end|final) (?:day|date) (?:counts|is (?:included|counted|inclusive|valid))|\b(?:days|dates|ends) are inclusive\b|\b(?:first|starting|start) (?:one|day|date|night) (?:is )?(?:counts|counted|included|inclusive)\b|\b(?:including|counting) (?:the |its )?(?:first|start|last) (?:one|day|date)\b/i;
const isFirst = (name: string): boolean =>
  boundName(name)?.end === "lower" || /^(?:first|starting)_?(?:day|date|on)$/i.test(name);
const isLast = (name: string): boolean =>
  boundName(name)?.end === "upper" || /^(?:last|final|closing)_?(?:day|date|on)$/i.test(name);
const exclusive = /\b(?:not|n't|never|neither|no longer|only)\b/i;

/** What a day is reckoned from, and how many days are added to it: a number that isn't fixed. */
function dayIn(
  value: Expression,
  program: JqProgram,
): { readonly base: string; readonly added: Expression | undefined } | undefined {
  const inner = bare(value);
  // A day that came as one: `$c.starts_on`
  if (inner.kind === "Postfix") return { base: textAt(inner, program), added: undefined };
  if (inner.kind !== "Pipeline" || !inner.stages.every(isExpression)) return undefined;
  const [first, ...rest] = inner.stages as readonly Expression[];
  if (first === undefined || !isDay(rest.at(-1))) return undefined;
  // `$c.starts_on | strptime("%Y-%m-%d") | mktime + $c.days * 86400 | …`
  const sum = rest.find((stage) => stage.kind === "Arithmetic");
  if (sum?.kind === "Arithmetic" && bare(first).kind === "Postfix") {
    const [step, ...more] = sum.rest;
    const days = step?.operator === "+" && more.length === 0 ? daysOf(step.operand) : undefined;
    return days === undefined ? undefined : { base: textAt(first, program), added: days };
  }
  const time = resolved(first, program) ?? first;
  if (time.kind !== "Arithmetic") return { base: textAt(first, program), added: undefined };
  const [{ operator, operand }, ...others] = time.rest as [(typeof time.rest)[number]];
  const added = operator === "+" && others.length === 0 ? daysOf(operand) : undefined;
  return added === undefined ? undefined : { base: textAt(time.first, program), added };
}

/** `.[0:10]`, `strftime("%Y-%m-%d")` */
function isDay(stage: Expression | undefined): boolean {
  if (stage === undefined) return false;
  if (isCutToDay(stage)) return true;
  const [format] = stage.kind === "Call" && stage.name.text === "strftime" ? stage.arguments : [];
  return format !== undefined && /^%Y-?%m-?%d$|^%F$/.test(`${constantOf(format)}`);
}

/** `$days` of `$days * 86400`. */
function daysOf(node: Expression): Expression | undefined {
  const inner = bare(node);
  if (inner.kind !== "Arithmetic" || inner.rest.length !== 1 || inner.rest[0]?.operator !== "*")
    return undefined;
  const sides = [inner.first, inner.rest[0].operand];
  const at = sides.findIndex((side) => constantOf(bare(side)) === 86_400);
  const days = at < 0 ? undefined : sides[1 - at];
  const read = days === undefined ? undefined : bare(days);
  return read !== undefined && constantOf(read) === undefined && read.kind !== "Arithmetic"
    ? read
    : undefined;
}
