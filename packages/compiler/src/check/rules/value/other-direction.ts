import type { Expression } from "@configc/jq";
import type { FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { derivedOf } from "../../../bind/derived.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { fieldOf } from "../../../flow/field-of.ts";
import { bare, nodesIn, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const otherDirection = defineRule<{ text: string; said: string; operator: "+" | "-" }>({
  id: "value/other-direction",
  severity: "warning",
  summary: "A length of time that was chosen goes in the other direction than its words say",
  why: "“15 minutes before” is earlier, and “three days later” is later. Reckoned the other way, a reminder comes when all is over, and nothing fails.",
  guards: ["D12", "field.label", "field_option.display", "command.!jq"],
  message: ({ text, said, operator }) =>
    `\`${text}\` ${operator === "+" ? "adds" : "takes off"} what a customer chooses as “${said}”.`,
  because: ({ said, operator }) => [
    `“${said}” is ${operator === "+" ? "earlier" : "later"}`,
    `\`${operator}\` makes the time ${operator === "+" ? "later" : "earlier"}`,
  ],
  help: ({ operator }) => `Write \`${operator === "+" ? "-" : "+"}\`, or say it otherwise to the customer.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "remind", "label": "Remind", "type": "dropdown", "options": [{"display": "15 minutes before", "value": "15"}, {"display": "One hour before", "value": "60"}]}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}/meeting"}}, {"!jq": "{email: ${piped_content.0.email}, remind_at: ((.starts_at | fromdate) «+» (${custom_data.remind.value} | tonumber) * 60 | todate)}"}, {"!http": {"method": "POST", "path": "/reminders", "body": "${piped_content.2}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}/meeting"}}, {"!jq": "{email: ${piped_content.0.email}, remind_at: ((.starts_at | fromdate) - (${custom_data.remind.value} | tonumber) * 60 | todate)}"}, {"!http": {"method": "POST", "path": "/reminders", "body": "${piped_content.2}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherDirection],
  checks: {
    // Intakes use what is chosen in workflows.
    reach: "linked",
    program(program, report, model) {
      if (!program.holes.some(({ root }) => root === "custom_data")) return;
      for (const { first, rest } of nodesOfKind(program, "Arithmetic"))
        for (const [at, { operator, operand }] of rest.entries()) {
          if (operator !== "+" && operator !== "-") continue;
          const field = chosenIn(operand, program);
          const said = field === undefined ? undefined : directionOf(field, model);
          if (said === undefined || said.operator === operator) continue;
          const from = at === 0 ? first : rest[at - 1]!.operand;
          // “After 30 days” may be how old something has to be, and “two days before” how far ahead it may lie.
          const before = [first, ...rest.slice(0, at).map((each) => each.operand)];
          const isAgo = /\b(?:ago|back)\b/i.test(said.text);
          if (!isAgo && before.some((each) => hasClock(each))) continue;
          const found = program.node.value.indexOf(operator, from.end) - from.end;
          const text = excerpt(textAt({ start: first.start, end: operand.end }, program), 60);
          const place = { node: program.node, from: from.end + found, to: from.end + found + 1 };
          report(otherDirection, place, { text, said: said.text, operator });
        }
    },
  },
};
export default module;

const hasClock = (node: Expression): boolean =>
  nodesIn(node).some((each) => each.kind === "Call" && each.name.text === "now");

/** The field that a product has beside numbers. */
function chosenIn(term: Expression, program: JqProgram): FieldSymbol | undefined {
  const given = bare(term);
  const source = given.kind === "Variable" ? boundTo(program, given) : undefined;
  const node = source === undefined ? given : bare(source);
  const factors =
    node.kind === "Arithmetic" && node.rest.every(({ operator }) => operator === "*")
      ? [node.first, ...node.rest.map(({ operand }) => operand)]
      : [node];
  const [own, ...others] = factors.filter((each) => numberOf(each) === undefined);
  return own === undefined || others.length > 0 ? undefined : fieldOf(own, program);
}

interface Said {
  readonly text: string;
  /** What leads to the time that is said. */
  readonly operator: "+" | "-";
}

const time = String.raw`\b(?:seconds?|minutes?|hours?|days?|weeks?|months?)`;
const earlier = new RegExp(
  String.raw`${time}\)? (?:before|earlier|ago|ahead of|prior|in advance|back)\b|^(?:before|ahead)\b`,
  "i",
);
const later = new RegExp(String.raw`${time}\)? (?:after|later|from now|afterwards)\b`, "i");

/** The direction in which all options, or the label of a field that is typed, say that the time lies. */
const directionOf = derivedOf((field: FieldSymbol): Said | undefined => {
  const options = staticOptions(field).filter(({ value }) => Number(value) !== 0);
  const texts =
    options.length > 0 ? options.map(({ display }) => display) : [textOf(field.node, "label") ?? ""];
  const [text] = texts;
  if (text === undefined) return undefined;
  if (texts.every((each) => earlier.test(each) && !later.test(each))) return { text, operator: "-" };
  if (texts.every((each) => later.test(each) && !earlier.test(each))) return { text, operator: "+" };
  return undefined;
});
