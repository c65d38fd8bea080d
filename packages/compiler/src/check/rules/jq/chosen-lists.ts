import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { evaluateAlone } from "../../../flow/machine/evaluate.ts";
import { UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { type ListTest, listTest } from "../../../flow/membership.ts";
import { isExpression, nodesOfKind } from "../../../flow/nodes.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const filter = (test: string): string =>
  `{"!jq": "(\${custom_data.form.value} | split(\\",\\")) as $forms | if ${test} then {email: .email} else null end"}`;

const emptyMembership = defineRule<{ list: string; always: boolean }>({
  id: "jq/empty-membership",
  severity: "warning",
  summary: "A condition wants a list to be empty and to have an item",
  why: "“None chosen, or one of the chosen” is how optional choices are read. With `and` and `or` exchanged, the condition is never true, or always, whatever customers choose.",
  guards: ["D23", "data_pipeline.source"],
  message: ({ list, always }) =>
    always
      ? `This is always true: either \`${list}\` has items, or nothing is one of them.`
      : `This is never true: an empty \`${list}\` has no items.`,
  because: ({ list, always }) => [
    `\`${list}\` is empty: ${always ? "nothing is one of its items, so it holds" : "nothing is one of its items"}`,
    `\`${list}\` has items: ${always ? "it holds" : "it isn't empty"}`,
  ],
  help: ({ always }) => (always ? "Write `and`." : "Write `or`."),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: filter("«($forms | length) == 0 and (.form_id | IN($forms[]))»"),
      good: filter("($forms | length) == 0 or (.form_id | IN($forms[]))"),
    },
  ],
});

const form = (value: string): string =>
  `{"!pipe": [{"!jq": "{email: .email, tags: (\${custom_data.tags.value | default} | ${value})}"}, {"!http": {"method": "POST", "path": "/people", "body": "\${piped_content.1}"}}]}`;

const lostChoice = defineRule<{ field: string; chosen: string; given: string; text: string }>({
  id: "jq/lost-choice",
  severity: "warning",
  summary: "Whatever a customer chooses, an empty value comes of it",
  why: "Several choices are a list, one is a text. A program that asks for the other type takes each for a skipped field.",
  guards: ["D7", "D12", "D23"],
  message: ({ field, chosen, given, text }) =>
    `What is chosen in \`${field}\` is ${chosen}, for which \`${text}\` always gives \`${given}\`.`,
  because: ({ field, given }) => [
    `a customer chooses something in \`${field}\``,
    `\`${given}\` comes of it, as if nothing were chosen`,
  ],
  help: ({ chosen }) => `Ask for ${chosen === "a list" ? '`type == "array"`' : '`type == "string"`'}.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Tags", "id": "tags", "type": "multiselect", "required": false, "options": [{"display": "Red", "value": "red"}, {"display": "Blue", "value": "blue"}]}',
      },
      bad: form('«if type == \\"string\\" then . else \\"\\" end»'),
      good: form('if type == \\"array\\" then join(\\",\\") else \\"\\" end'),
    },
    {
      title: "A list",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Tags", "id": "tags", "type": "multiselect", "required": false, "options": [{"display": "Red", "value": "red"}, {"display": "Blue", "value": "blue"}]}',
      },
      bad: form('«if type == \\"object\\" then . else [] end»'),
      good: form('if type == \\"array\\" then . else [] end'),
    },
  ],
});

const module: RuleModule = {
  rules: [emptyMembership, lostChoice],
  checks: {
    program(program, report) {
      tellLost(program, report);
      if (!/\b(?:and|or)\b/.test(program.node.value)) return;
      for (const { operator, operands, start, end } of nodesOfKind(program, "Logical")) {
        const list = clashIn(operands, operator === "and", program);
        if (list !== undefined)
          report(
            emptyMembership,
            { node: program.node, from: start, to: end },
            { list, always: operator === "or" },
          );
      }
    },
  },
};
export default module;

/** So many choices of a program are tried. */
const MOST = 50;

/** Functions that tell types apart. */
const asksForType = /\b(?:type|arrays|strings|scalars|iterables)\b/;

function tellLost(program: JqProgram, report: Report): void {
  const { holes, node: written, diagnostics } = program;
  if (holes.length === 0 || diagnostics.length > 0 || !asksForType.test(written.value)) return;
  let asked = 0;
  const values: Value[] = holes.map(() => UNKNOWN);
  for (const { stages } of nodesOfKind(program, "Pipeline")) {
    const [first, ...rest] = stages;
    if (first === undefined || rest.length === 0 || !isExpression(first) || !rest.every(isExpression))
      continue;
    const text = written.value.slice(rest[0]!.start, rest.at(-1)!.end);
    const value = asksForType.test(text) ? valueBehind(first, program) : undefined;
    const hole = value?.kind === "Hole" ? holes[value.hole] : undefined;
    const [field, ...others] = hole?.root === "custom_data" && hole.fieldExact ? hole.fields : [];
    if (hole?.syntax.path[2]?.text !== "value" || field?.id === undefined || others.length > 0) continue;
    if (++asked > MOST) return;
    const isList = field.type === "multiselect";
    // Texts of options that aren't known stand for any.
    const tried: readonly Value[] = isList ? [list("a"), list("b", "c")] : ["a", "b"];
    const at = holes.indexOf(hole);
    const [given, ...more] = tried.map((chosen) => {
      values[at] = chosen;
      return JSON.stringify(
        rest.reduce<Value>((input, stage) => evaluateAlone(program, stage, input, values), chosen),
      );
    });
    values[at] = UNKNOWN;
    if (!more.every((other) => other === given) || (given !== '""' && given !== "null" && given !== NO_ITEMS))
      continue;
    const marked = { node: written, from: rest[0]!.start, to: rest.at(-1)!.end };
    report(lostChoice, marked, {
      field: field.id,
      chosen: isList ? "a list" : "a text",
      given: given === NO_ITEMS ? "[]" : given,
      text: excerpt(text),
    });
  }
}

const NO_ITEMS = JSON.stringify({ kind: "list", items: [] });
const list = (...items: readonly string[]): Value => ({ kind: "list", items });

/** The list of which one operand says that it is empty, and the other one that it has something: with `or` the other way round. */
function clashIn(operands: readonly Expression[], isAnd: boolean, program: JqProgram): string | undefined {
  const tests = operands.flatMap(
    (operand): ListTest | readonly ListTest[] => listTest(operand, program) ?? [],
  );
  const filled = tests.filter(({ asks, holds }) => asks === "filled" && holds !== isAnd);
  const members = tests.filter(({ asks, holds }) => asks === "member" && holds === isAnd);
  return filled.find(({ list }) => members.some((other) => other.list === list))?.list;
}
