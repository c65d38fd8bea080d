import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { mayReckonDays } from "../../../flow/day-reckoned.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { saysAround } from "../../../flow/said/of-name.ts";
import { underlying } from "../../../flow/underlying.ts";
import { rounds } from "../../../flow/unrounded.ts";
import type { RuleModule } from "../../checks.ts";

const hire = (member: string, more: string): string =>
  `{"!jq": "def day: . + \\"T00:00:00Z\\" | fromdate; {email: .email, ${member}: «(((.due_on | day) - (.out_on | day)) / 86400${more})»}"}`;
const unmarked = (text: string): string => text.replace(/[«»]/g, "");

const daysBetween = defineRule<{ name: string; title: string; isShort: boolean }>({
  id: "value/days-between",
  severity: "warning",
  summary: "The days of a span are counted without its last one, or its nights with a day more",
  why: "From Monday to Tuesday are two days if both count, and one night. The difference of the two is 1.",
  guards: ["command.!jq", "option.title", "D23"],
  message: ({ name, title, isShort }) =>
    isShort
      ? `\`${name}\` is the difference of two days. Its title “${title}” says that both of them count, so it is one too few.`
      : `\`${name}\` is the difference of two days and one more, and counts nights: there is one night less than days.`,
  because: ({ isShort }) => [
    "from Monday to Monday the difference is 0",
    isShort ? "both days count: that is 1 day" : "that is no night, and this gives 1",
  ],
  help: ({ isShort }) => (isShort ? "Add 1." : "Leave out `+ 1`."),
  examples: [
    {
      title: "Both days count",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '[{"title": "Email", "id": "email"}, {"title": "Days on hire, both ends counted", "id": "days"}]',
      },
      bad: hire("days", ""),
      good: unmarked(hire("days", " + 1")),
    },
    {
      title: "Nights",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: hire("nights", " + 1"),
      good: unmarked(hire("nights", "")),
    },
  ],
});

const module: RuleModule = {
  rules: [daysBetween],
  checks: {
    // A comment may say what the ends are.
    reach: "saved",
    program(program, report, model) {
      const { command, diagnostics } = program;
      if (!mayReckonDays(program) || command.unit?.kind !== "workflow" || diagnostics.length > 0) return;
      const titles =
        command.place.name === "data_pipeline.source" ? offeredTitles(command.unit, model) : undefined;
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          const name = nameOf(key);
          if (name === undefined || value === undefined) continue;
          const title = titles?.get(name) ?? "";
          const isInclusive = inclusive.test(title) && !otherwise.test(title);
          const isNights = wordsOf(name).at(-1) === "nights" && !inclusive.test(title);
          if (!isNights && !(isInclusive && /\bdays?\b/i.test(title))) continue;
          const more = moreThanDifference(value, program);
          if (more === undefined || more !== (isNights ? 1 : 0)) continue;
          // The last of the nights is read, or the day after the last day.
          if (isNights && /nights?\b/.test(readsOf(textAt(value, program)))) continue;
          if (saysAround(otherEnds, program.command, model)) continue;
          report(daysBetween, partAt(program, value), { name, title, isShort: !isNights });
        }
    },
  },
};
export default module;

const inclusive =
  /\bboth (?:days|dates|ends) (?:count(?:ed)?|(?:are )?included)\b|\b(?:counting|including) (?:both\b|(?:the )?(?:first|last|start|end)\b)|\b(?:first|start) (?:day )?and (?:the )?(?:last|end)(?: day)? (?:count(?:ed)?|included)\b|\binclusive\b/i;

/** “All inclusive” is no way of counting, and what is excluded may stand beside. */
const otherwise = /\ball[- ]inclusive\b|\bnot (?:counting|including)\b|\bexclu|\bwithout\b/i;

/** What the ends are, where they aren't the first and the last day. */
const otherEnds =
  /\bday (?:after|before)\b|\b(?:first|last)(?: and (?:the )?last)? night\b|\bnext morning\b/i;

const readsOf = (text: string): string => (text.match(/\.\w+/g) ?? []).join(" ");

/** What is added to the days between two days: 1 of `(B - A) / 86400 + 1`. */
function moreThanDifference(given: Expression, program: JqProgram): number | undefined {
  let node = underlying(given);
  if (node.kind === "Variable") node = bare(resolved(node, program) ?? node);
  if (node.kind === "Pipeline") {
    // `… | floor`, `… | . + 1`
    const [first, ...rest] = node.stages.every(isExpression) ? (node.stages as readonly Expression[]) : [];
    if (first === undefined) return undefined;
    let more = moreThanDifference(first, program);
    for (const stage of rest) {
      const own = stage.kind === "Arithmetic" && stage.first.kind === "Identity" ? addedTo(stage) : undefined;
      if (own === undefined && !(stage.kind === "Call" && rounds(stage))) return undefined;
      more = more === undefined ? undefined : more + (own ?? 0);
    }
    return more;
  }
  if (node.kind !== "Arithmetic") return undefined;
  const [step] = node.rest;
  if (step?.operator === "+" || step?.operator === "-") {
    const [before, own] = [moreThanDifference(node.first, program), addedTo(node)];
    return before === undefined || own === undefined ? undefined : before + own;
  }
  const isDays = step?.operator === "/" && node.rest.length === 1 && numberOf(step.operand) === 86_400;
  return isDays && isDifference(node.first) ? 0 : undefined;
}

/** `+ 1` */
function addedTo({ rest }: Extract<Expression, { kind: "Arithmetic" }>): number | undefined {
  let more = 0;
  for (const { operator, operand } of rest) {
    const number = numberOf(operand);
    if (number === undefined || (operator !== "+" && operator !== "-")) return undefined;
    more += operator === "+" ? number : -number;
  }
  return more;
}

/** `(B | day) - (A | day)`, of two days that are read: `now` is at some hour of its day. */
function isDifference(given: Expression): boolean {
  const node = bare(given);
  const [step, ...others] = node.kind === "Arithmetic" ? node.rest : [];
  if (node.kind !== "Arithmetic" || step?.operator !== "-" || others.length > 0) return false;
  return [node.first, step.operand].every((side) => {
    const read = bare(side);
    return (
      read.kind === "Variable" ||
      (read.kind === "Pipeline" && read.stages.every((each) => isExpression(each)))
    );
  });
}
