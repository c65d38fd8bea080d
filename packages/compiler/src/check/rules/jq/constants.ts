import { children, type Expression, type Node, types } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { inferNodes } from "../../../flow/inference.ts";
import { bare, hasAnyOf } from "../../../flow/nodes.ts";
import { spanOf } from "../../../parse/document.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { comparisonAlways, lengthAlways, logicalAlways, requiredBesideNull } from "./constant-conditions.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const constantOperand = defineRule<{
  text: string;
  operator: string;
  always: boolean;
  instead: string | undefined;
}>({
  id: "jq/constant-operand",
  severity: "warning",
  summary: "`and` or `or` has a constant instead of a condition",
  why: 'In jq every string, number, list and object counts as true, even the empty string. So `.a == 1 or 2` and `.a == null or ""` are true for every record, and one branch always runs.',
  guards: ["D23"],
  message: ({ text, operator, always }) =>
    `\`${text}\` counts as ${always ? "true" : "false"} here, so this \`${operator}\` ${always === (operator === "or") ? `is always ${always}` : "changes nothing"}.`,
  because: ({ text, always }) => [
    `\`${text}\` isn't a comparison and counts as ${always ? "true" : "false"}`,
    "so this side doesn't depend on the data",
  ],
  help: ({ instead }) => (instead === undefined ? "Write the whole comparison." : `Write \`${instead}\`.`),
  examples: [
    {
      title: "One comparison for two values",
      ...place,
      bad: '{"!jq": "if .kind == \\"new\\" or «\\"open\\"» then {email: .email} else null end"}',
      good: '{"!jq": "if .kind == \\"new\\" or .kind == \\"open\\" then {email: .email} else null end"}',
      fixed: '{"!jq": "if .kind == \\"new\\" or .kind == \\"open\\" then {email: .email} else null end"}',
    },
    {
      title: "What a customer chose, between quotes",
      ...place,
      bad: '{"!jq": "if .kind == \\"all\\" or «\\"${custom_data.form.value}\\"» then {email: .email} else null end"}',
      good: '{"!jq": "if .kind == \\"all\\" or .kind == \\"${custom_data.form.value}\\" then {email: .email} else null end"}',
    },
    {
      title: "The empty text is true",
      ...place,
      bad: '{"!jq": "if .email == null or «\\"\\"» then null else {email: .email} end"}',
      good: '{"!jq": "if .email == null or .email == \\"\\" then null else {email: .email} end"}',
      fixed: '{"!jq": "if .email == null or .email == \\"\\" then null else {email: .email} end"}',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) =>
    instead === undefined || !("from" in at)
      ? []
      : [
          {
            title: `Change to \`${instead}\``,
            safe: false,
            edits: [{ ...spanOf(document, at), newText: JSON.stringify(instead).slice(1, -1) }],
          },
        ],
});

const defaultTrue = defineRule<{ text: string }>({
  id: "jq/default-true",
  severity: "warning",
  summary: "`// true` turns `false` into `true`",
  why: "`//` takes its right side if the left one is null *or false*. With `true` on the right, false becomes true too: `.has_more // true` is never false.",
  guards: ["D23"],
  message: ({ text }) => `\`//\` replaces false as well as null, so \`${text}\` is never false.`,
  because: ({ text }) => [
    `the value is false: \`${text}\` is true`,
    `the value is null: \`${text}\` is true`,
  ],
  help: () => "Use `| if . == null then true else . end` instead.",
  examples: [
    {
      ...place,
      bad: '{"!jq": "{email: .email, subscribed: («.subscribed // true»)}"}',
      good: '{"!jq": "{email: .email, subscribed: (.subscribed | if . == null then true else . end)}"}',
      fixed: '{"!jq": "{email: .email, subscribed: (.subscribed | if . == null then true else . end)}"}',
    },
  ],
  fixes: ({ at }, { document }) => {
    if (!("from" in at)) return [];
    const left = at.node.value.slice(at.from, at.to).replace(/\s*\/\/\s*true$/, "");
    const text = `${left} | if . == null then true else . end`;
    // Only between brackets of its own does a pipe take no more than this.
    const alone = at.node.value.charAt(at.from - 1) === "(" && at.node.value.charAt(at.to) === ")";
    const newText = JSON.stringify(alone ? text : `(${text})`).slice(1, -1);
    return [{ title: "Keep false", safe: false, edits: [{ ...spanOf(document, at), newText }] }];
  },
});

const contradiction = defineRule<{
  text: string;
  always: boolean;
  instead: string | undefined;
  /** The required form field that is compared with null. */
  required?: string | undefined;
}>({
  id: "jq/contradiction",
  severity: "warning",
  summary: "A condition is the same for every value",
  why: "One of two inequalities with different values always holds, so joined by `or` they are always true. Two such equalities never hold together. A length is never below 0. So one branch runs for every record, and the other for none.",
  guards: ["D23"],
  message: ({ text, always }) => `\`${text}\` is ${always ? "true" : "false"} for every value.`,
  because: ({ always, required }) => [
    required === undefined
      ? `any value: ${always ? "true" : "false"}`
      : `\`${required}\` is required, so customers always choose or fill in something`,
    `the branch for ${always ? "false" : "true"} never runs`,
  ],
  help: ({ instead, required }) => {
    if (required !== undefined) return `Compare \`${required}\` with what customers may choose or fill in.`;
    return instead === undefined ? undefined : `Write \`${instead}\`.`;
  },
  examples: [
    {
      title: "or between inequalities",
      ...place,
      bad: '{"!jq": "if («.email != null or .email != \\"\\"») then {email: .email} else null end"}',
      good: '{"!jq": "if (.email != null and .email != \\"\\") then {email: .email} else null end"}',
      fixed: '{"!jq": "if (.email != null and .email != \\"\\") then {email: .email} else null end"}',
    },
    {
      title: "A total",
      ...place,
      bad: '{"!pipe": [{"!http": {"path": "/patrons/${piped_content.0.id}/loans"}}, {"!jq": ".total as $n | {email: ${piped_content.0.email}, _tags: (if «$n >= 0» then [\\"loans\\"] else [] end)}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/patrons/${piped_content.0.id}/loans"}}, {"!jq": ".total as $n | {email: ${piped_content.0.email}, _tags: (if $n > 0 then [\\"loans\\"] else [] end)}"}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/patrons/${piped_content.0.id}/loans"}}, {"!jq": ".total as $n | {email: ${piped_content.0.email}, _tags: (if $n > 0 then [\\"loans\\"] else [] end)}"}]}',
    },
    {
      title: "A default that isn't the one that is compared with",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if «${custom_data.form.value | default} == null» then null else {email: .email} end"}',
      good: '{"!jq": "if ${custom_data.form.value | default} == \\"\\" then null else {email: .email} end"}',
    },
    {
      title: "A value, or a member of it",
      ...place,
      bad: '{"!jq": "if («.plan != null or .plan.state != \\"ended\\"») then {email: .email} else null end"}',
      good: '{"!jq": "if (.plan != null and .plan.state != \\"ended\\") then {email: .email} else null end"}',
      fixed:
        '{"!jq": "if (.plan != null and .plan.state != \\"ended\\") then {email: .email} else null end"}',
    },
    {
      title: "D13: a required field",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if «${custom_data.form.value} != null» then {email: .email} else null end"}',
      good: '{"!jq": "if (${custom_data.form.value} | tostring) != \\"0\\" then {email: .email} else null end"}',
    },
    {
      title: "A value with itself",
      ...place,
      bad: '{"!jq": "if («.changed_at > .changed_at») then {email: .email} else null end"}',
      good: '{"!jq": "if (.changed_at > .created_at) then {email: .email} else null end"}',
    },
    {
      title: "The name of a field instead of its value",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if «\\"form\\" == \\"7\\"» then null else {email: .email} end"}',
      good: '{"!jq": "if (${custom_data.form.value} | tostring) == \\"7\\" then null else {email: .email} end"}',
    },
    {
      title: "No condition",
      ...place,
      bad: '{"!jq": "{email: .email, plan: (if «true» then \\"full\\" else .plan end)}"}',
      good: '{"!jq": "{email: .email, plan: (if .is_full then \\"full\\" else .plan end)}"}',
    },
    {
      title: "A length of at least 0",
      ...place,
      bad: '{"!jq": "if (.emails | «length >= 0») then {email: .emails[0]} else null end"}',
      good: '{"!jq": "if (.emails | length > 0) then {email: .emails[0]} else null end"}',
      fixed: '{"!jq": "if (.emails | length > 0) then {email: .emails[0]} else null end"}',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) =>
    instead === undefined
      ? []
      : [
          {
            title: `Change to \`${instead}\``,
            safe: false,
            edits: [{ ...spanOf(document, at), newText: JSON.stringify(instead).slice(1, -1) }],
          },
        ],
});

const module: RuleModule = {
  rules: [constantOperand, contradiction, defaultTrue],
  checks: {
    // What an intake's comment says of a number.
    reach: "linked",
    program(program, report, model) {
      if (!hasAnyOf(program, kinds)) return;
      if (!mayBeConstant.test(program.node.value)) return;
      const { node } = program;
      const pending: Node[] = [program.tree];
      for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
        pending.push(...children(at));
        if (at.kind === "Logical") {
          for (const [index, operand] of at.operands.entries()) {
            const isChosen = isFieldValue(operand, program);
            const value = constantOf(operand);
            if (!isChosen && (value === undefined || typeof value === "boolean")) continue;
            const args = {
              text: excerpt(textOf(operand, program), 30),
              operator: at.operator,
              always: value !== null,
              instead: isChosen ? undefined : comparedLike(at.operands[index - 1], operand, program),
            };
            report(constantOperand, { node, from: operand.start, to: operand.end }, args);
          }
          const always = logicalAlways(at, program);
          if (always !== undefined) {
            const text = textOf(at, program);
            const instead = text.replaceAll(
              at.operator === "or" ? /\bor\b/g : /\band\b/g,
              always ? "and" : "or",
            );
            report(
              contradiction,
              { node, from: at.start, to: at.end },
              {
                text: excerpt(text, 50),
                always,
                instead: excerpt(instead, 60) === instead ? instead : undefined,
              },
            );
          }
        } else if (at.kind === "Comparison") {
          const always = comparisonAlways(at, program);
          if (always === undefined) continue;
          const text = textOf(at, program);
          report(
            contradiction,
            { node, from: at.start, to: at.end },
            {
              text,
              always,
              required: requiredBesideNull(at, program)?.field,
              // `> -1` is left to the author.
              instead:
                /[<>]=/.test(text) && lengthAlways(at, program) === true
                  ? text.replace(/([<>])=(?=[^<>=]*$)/, "$1")
                  : undefined,
            },
          );
        } else if (at.kind === "Branch" && isLiteral(at.condition)) {
          const { start, end } = at.condition;
          const always = constantOf(bare(at.condition)) === true;
          const args = { text: textOf(at.condition, program), always, instead: undefined };
          report(contradiction, { node, from: start, to: end }, args);
        } else if (at.kind === "Call" && findsEmptyText(at)) {
          const args = { text: textOf(at, program), always: true, instead: undefined };
          report(contradiction, { node, from: at.start, to: at.end }, args);
        } else if (at.kind === "Alternative" && mayBecomeTrue(at, program, model))
          report(
            defaultTrue,
            { node, from: at.start, to: at.end },
            { text: excerpt(textOf(at, program), 40) },
          );
      }
    },
  },
};
export default module;

const kinds: readonly Node["kind"][] = ["Logical", "Comparison", "Branch", "Alternative", "Call"];
const mayBeConstant = /\b(?:and|or)\b|[=<>]|\/\/|\bif[\s(]+(?:true|false|null)\b|\(\s*""\s*\)/;

/** `startswith("")`: every text begins and ends with the empty one, and contains it. */
function findsEmptyText({ name, arguments: [sought, ...others] }: Extract<Node, { kind: "Call" }>): boolean {
  const isSearch = /^(?:starts|ends)with$|^contains$/.test(name.text);
  return isSearch && sought !== undefined && others.length === 0 && constantOf(sought) === "";
}

function textOf({ start, end }: Expression, { node }: JqProgram): string {
  return node.value.slice(start, end);
}

/** `true`, `false` or `null` where a condition should be. */
function isLiteral(condition: Expression): boolean {
  const value = constantOf(bare(condition));
  return typeof value === "boolean" || value === null;
}

/** Whether an expression is what a customer filled in or chose, a text or a list, or is made a text by its quotes: that counts as true, also the empty one. */
function isFieldValue(given: Expression, program: JqProgram): boolean {
  const { holes } = program;
  if (given.kind === "Group") return isFieldValue(given.body, program);
  if (given.kind === "String" && constantOf(given) === undefined) return true;
  const node = bare(given);
  if (node.kind !== "Hole") return false;
  const { root, rootExact, fields = [] } = holes[node.hole] ?? {};
  const isText = ({ node: field }: FieldSymbol): boolean => {
    const options = field.get("options");
    const values = options?.kind === "array" ? objectItems(options).map((option) => option.get("value")) : [];
    return values.every((value) => value?.kind === "string");
  };
  return root === "custom_data" && rootExact === true && fields.length > 0 && fields.every(isText);
}

/** `.a == 1 or 2`: what is likely meant by the 2. */
function comparedLike(
  before: Expression | undefined,
  operand: Expression,
  program: JqProgram,
): string | undefined {
  if (before?.kind !== "Comparison") return undefined;
  return `${textOf(before.left, program)} ${before.operator} ${textOf(operand, program)}`;
}

/** Whether `… // true` turns a false into true, as far as is known. */
function mayBecomeTrue(
  { operands }: Extract<Expression, { kind: "Alternative" }>,
  program: JqProgram,
  model: Model,
): boolean {
  const last = operands.at(-1);
  const given = last === undefined ? undefined : constantOf(last);
  if (typeof given === "string" || typeof given === "number")
    return operands.slice(0, -1).some(({ kind }) => kind === "Comparison" || kind === "Logical");
  if (given !== true || isNeverFalse(operands[0]!, program)) return false;
  const flow = flowOf(model);
  const { nodes } = inferNodes(program, flow.programInput(program), flow.holes(program));
  return operands.slice(0, -1).some((operand) => {
    const type = nodes.get(operand)?.output ?? types.unknown;
    return types
      .partsOf(type)
      .some((part) => part.kind === "unknown" || (part.kind === "boolean" && part.value !== true));
  });
}

/** Whether a value is a time or a text by its name, `.listed_since`, or a comment says that it is never false. */
function isNeverFalse(operand: Expression, { node }: JqProgram): boolean {
  const read = bare(operand);
  const last = read.kind === "Postfix" ? read.suffixes.at(-1) : undefined;
  const name = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
  if (name === undefined) return false;
  if (
    /(?:_(?:at|on|since|until|date|time|text|name|reason|id|url)|[a-z](?:At|On|Since|Until|Date|Text|Name|Reason|Id|Url))$/.test(
      name,
    )
  )
    return true;
  return commentsAround(node, []).some(
    ({ value }) =>
      value.includes(name) && /\b(?:never|not|isn't) (?:sent as |given as )?["`']?false\b/.test(value),
  );
}
