import { children, type Expression, type Node, types } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { inferNodes } from "../../../flow/inference.ts";
import { asksForEmpty, defaultOf, fieldWithDefault } from "../../../flow/left-out.ts";
import { isLength } from "../../../flow/nodes.ts";
import { definitionInStep, definitionOfInput } from "../../../flow/protocol/definition-site.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { spanOf } from "../../../parse/document.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

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

const contradiction = defineRule<{ text: string; always: boolean; instead: string | undefined }>({
  id: "jq/contradiction",
  severity: "warning",
  summary: "A condition is the same for every value",
  why: "One of two inequalities with different values always holds, so joined by `or` they are always true. Two such equalities never hold together. A length is never below 0. So one branch runs for every record, and the other for none.",
  guards: ["D23"],
  message: ({ text, always }) => `\`${text}\` is ${always ? "true" : "false"} for every value.`,
  because: ({ always }) => [
    `any value: ${always ? "true" : "false"}`,
    `the branch for ${always ? "false" : "true"} never runs`,
  ],
  help: ({ instead }) => (instead === undefined ? undefined : `Write \`${instead}\`.`),
  examples: [
    {
      title: "or between inequalities",
      ...place,
      bad: '{"!jq": "if («.email != null or .email != \\"\\"») then {email: .email} else null end"}',
      good: '{"!jq": "if (.email != null and .email != \\"\\") then {email: .email} else null end"}',
      fixed: '{"!jq": "if (.email != null and .email != \\"\\") then {email: .email} else null end"}',
    },
    {
      title: "A default that isn't the one that is compared with",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if «${custom_data.form.value | default} == null» then null else {email: .email} end"}',
      good: '{"!jq": "if ${custom_data.form.value | default} == \\"\\" then null else {email: .email} end"}',
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
    program(program, report, model) {
      if (program.diagnostics.length > 0 || !/\b(?:and|or)\b|[=<>]|\/\//.test(program.node.value)) return;
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
          const always = contradicted(at, program) ?? decidedBy(at);
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
          // Of lengths in a request, a rule about `iterate` says it.
          const isRequest = program.command.place.name === "intake.request";
          const always =
            sameOperands(at, program) ??
            betweenConstants(at) ??
            besideDefault(at, program) ??
            (isRequest ? undefined : lengthAlways(at, program));
          if (always === undefined) continue;
          const text = textOf(at, program);
          report(
            contradiction,
            { node, from: at.start, to: at.end },
            {
              text,
              always,
              instead: lengthAlways(at, program) === true ? text.replace(">=", ">") : undefined,
            },
          );
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

function textOf({ start, end }: Expression, { node }: JqProgram): string {
  return node.value.slice(start, end);
}

/** What `.a != 1 or .a != 2` and `.a == 1 and .a == 2` always are. */
function contradicted(
  { operator, operands }: Extract<Expression, { kind: "Logical" }>,
  program: JqProgram,
): boolean | undefined {
  const compared = operator === "or" ? "!=" : "==";
  const seen = new Map<string, unknown>();
  for (const operand of operands) {
    let at = operand;
    while (at.kind === "Group") at = at.body;
    if (at.kind !== "Comparison" || at.operator !== compared) continue;
    const value = constantOf(at.right);
    const left = textOf(at.left, program).trim();
    // Of several outputs one may differ from the other.
    if (value === undefined || /\[\]|,|\.\./.test(left)) continue;
    const other = seen.get(left);
    // Of two texts or numbers the types tell it.
    if (seen.has(left) && other !== value && (other === null || value === null)) return operator === "or";
    seen.set(left, value);
  }
  return undefined;
}

/** Whether an expression is what a customer filled in or chose: a text or a list, which counts as true, also the empty one. */
function isFieldValue(node: Expression, { holes }: JqProgram): boolean {
  if (node.kind !== "Hole") return false;
  const { root, rootExact, fields = [] } = holes[node.hole] ?? {};
  const isText = ({ node: field }: FieldSymbol): boolean => {
    const options = field.get("options");
    const values = options?.kind === "array" ? objectItems(options).map((option) => option.get("value")) : [];
    return values.every((value) => value?.kind === "string");
  };
  return root === "custom_data" && rootExact === true && fields.length > 0 && fields.every(isText);
}

/** What `${… | default:none} == ""` is: what is missing is the default, and nothing else; and what a step makes, or a variable holds, isn't null. */
function besideDefault(
  { left, operator, right }: Extract<Expression, { kind: "Comparison" }>,
  program: JqProgram,
): boolean | undefined {
  const { holes } = program;
  const hole = left.kind === "Hole" ? left : right;
  const expansion = hole.kind === "Hole" ? holes[hole.hole] : undefined;
  if (constantOf(hole === left ? right : left) === null && (operator === "==" || operator === "!=")) {
    const made = expansion === undefined ? undefined : definitionInStep(expansion)?.node.kind;
    if (made === "Array" || made === "Object" || made === "String" || made === "Number")
      return operator === "!=";
  }
  const variable = constantOf(right) === null ? left : right;
  if (variable.kind === "Variable" && (operator === "==" || operator === "!=")) {
    const source = boundTo(program, variable);
    const isNull = constantOf(variable === left ? right : left) === null;
    // A list of none is still a list.
    if (isNull && source?.kind === "Array") return operator === "!=";
  }
  if (operator !== "==" && operator !== "!=") return undefined;
  const [value, other] =
    constantOf(right) === undefined ? [right, constantOf(left)] : [left, constantOf(right)];
  const direct = value.kind === "Hole" ? holes[value.hole] : undefined;
  const hasDefault = direct?.syntax.filters[0]?.name === "default";
  const field = fieldWithDefault(value, program) ?? (hasDefault ? direct : undefined);
  // Who also asks for the empty text knows what a field is that was left out.
  if (field === undefined || (other === null && asksForEmpty(field, program))) return undefined;
  const isOther = other === null || (other === "" && defaultOf(field) !== "");
  return isOther ? operator === "!=" : undefined;
}

/** What a comparison of a value with itself is. */
function sameOperands(
  { left, operator, right }: Extract<Expression, { kind: "Comparison" }>,
  program: JqProgram,
): boolean | undefined {
  const [a, b] = [left, right].map((each) => textOf(each, program).trim());
  if (a !== b || a === "." || constantOf(left) !== undefined || /\[\]|,|\.\./.test(a ?? "")) return undefined;
  return operator === "==" || operator === "<=" || operator === ">=";
}

/** What a comparison of two constants is: the name of a field stands where its value is meant. What a variable holds, its type tells. */
function betweenConstants({
  left,
  operator,
  right,
}: Extract<Expression, { kind: "Comparison" }>): boolean | undefined {
  const [a, b] = [constantOf(left), constantOf(right)];
  if (a === undefined || b === undefined || typeof a === "object" || typeof b === "object") return undefined;
  if (operator === "==" || operator === "!=") return (a === b) === (operator === "==");
  if (typeof a !== typeof b) return undefined;
  if (operator === "<") return a < b;
  if (operator === "<=") return a <= b;
  return operator === ">" ? a > b : a >= b;
}

/** `… or true`, `… and false`. */
function decidedBy({ operator, operands }: Extract<Expression, { kind: "Logical" }>): boolean | undefined {
  const decisive = operator === "or";
  return operands.some((operand) => constantOf(operand) === decisive) ? decisive : undefined;
}

/** What a comparison of a length with a number below any is. */
function lengthAlways(
  { left, operator, right }: Extract<Expression, { kind: "Comparison" }>,
  program: JqProgram,
): boolean | undefined {
  const limit = constantOf(right);
  if (typeof limit !== "number" || limit > 0) return undefined;
  const hole = left.kind === "Hole" ? program.holes[left.hole] : undefined;
  const made = hole === undefined ? definitionOfInput(left, program) : definitionInStep(hole);
  if (!isLength(made?.node ?? left) && !isCount(left)) return undefined;
  if ((operator === ">=" && limit <= 0) || (operator === ">" && limit < 0)) return true;
  return (operator === "<" && limit <= 0) || (operator === "<=" && limit < 0) ? false : undefined;
}

/** `.registrations_count` */
function isCount(node: Expression): boolean {
  const last = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  return (
    last?.kind === "Field" && last.key.kind === "Name" && /(?:^|_)count$|[a-z]Count$/.test(last.key.text)
  );
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
  if (given !== true) return false;
  const flow = flowOf(model);
  const { nodes } = inferNodes(program, flow.programInput(program), flow.holes(program));
  return operands.slice(0, -1).some((operand) => {
    const type = nodes.get(operand)?.output ?? types.unknown;
    return types
      .partsOf(type)
      .some((part) => part.kind === "unknown" || (part.kind === "boolean" && part.value !== true));
  });
}
