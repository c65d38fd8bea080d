import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern, memoize } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { fieldChosen, staticOptions } from "../../../flow/chosen.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { documentedArrays } from "../../../flow/documented-members.ts";
import { documentedNulls } from "../../../flow/documented-nulls.ts";
import {
  commentsAround,
  documentedWords,
  hasComments,
  intakesAround,
} from "../../../flow/documented-words.ts";
import { bare, defines, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { definitionInStep, definitionOfInput } from "../../../flow/protocol/definition-site.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import { type ObjectNode, toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { asksGraphql } from "../http/graphql-requests.ts";
import { isFlaggedByCount } from "./count-condition.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const textAsCondition = defineRule<{ text: string; kind: string; instead: string }>({
  id: "jq/text-as-condition",
  severity: "warning",
  summary: "A condition is a text, a number or a list, which always counts as true",
  why: "In jq only `false` and `null` count as false. The number 0, an empty list and the text “false” count as true, so one branch runs for every record.",
  guards: ["D23", "command.!switch"],
  message: ({ text, kind }) => `\`${text}\` is ${kind}, which always counts as true.`,
  because: ({ kind }) => [
    `the condition is ${kind}`,
    `${kind === "a number" || kind === "a 1 or a 0" ? "0" : kind === "a list" ? "[]" : kind === "an object" ? "{}" : "“false”"} counts as true, too`,
  ],
  help: ({ instead }) => instead,
  examples: [
    {
      title: "A length",
      ...place,
      bad: '{"!jq": "if «(.tags | length)» then {email: .email} else null end"}',
      good: '{"!jq": "if (.tags | length) > 0 then {email: .email} else null end"}',
    },
    {
      title: "A count",
      ...place,
      bad: '{"!jq": "{email: .email, _tags: (if «.lateCount» then [\\"Late\\"] else [] end)}"}',
      good: '{"!jq": "{email: .email, _tags: (if .lateCount > 0 then [\\"Late\\"] else [] end)}"}',
    },
    {
      title: "A default that counts as true",
      ...place,
      bad: '{"!jq": "if «(.email // \\"\\")» then {email: .email} else null end"}',
      good: '{"!jq": "if (.email // \\"\\") != \\"\\" then {email: .email} else null end"}',
    },
    {
      title: "What a customer may leave out",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "${custom_data.note.value | default} as $note | if «$note» then {email, note: $note} else {email} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "${custom_data.note.value | default} as $note | if $note != \\"\\" then {email, note: $note} else {email} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "D3: what a comment calls a list",
      ...place,
      with: { "/workflows/0/data_pipeline/_comment": '"faults is always a list, empty when all is well."' },
      bad: '{"!jq": "if «.faults» then null else {email: .email} end"}',
      good: '{"!jq": "if .faults != [] then null else {email: .email} end"}',
    },
    {
      title: "D3: what a comment lists the words of",
      ...place,
      with: {
        "/workflows/0/data_pipeline/_comment": '"membership: \\"visitor\\", \\"attender\\" or \\"member\\""',
      },
      bad: '{"!jq": "if «.membership» then {email: .email} else null end"}',
      good: '{"!jq": "if .membership == \\"member\\" then {email: .email} else null end"}',
    },
    {
      title: "A condition that was written as text",
      ...place,
      bad: '{"!pipe": [{"!jq": "{paid: (.status == \\"paid\\" | tostring), email}"}, {"!jq": "if «.paid» then {email: .email} else null end"}]}',
      good: '{"!pipe": [{"!jq": "{paid: (.status == \\"paid\\"), email}"}, {"!jq": "if .paid then {email: .email} else null end"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [textAsCondition],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { node } = program;
      if (!/\b(?:select|any|all)\b/.test(node.value) && nodesOfKind(program, "If").length === 0) return;
      for (const condition of conditionsIn(program)) {
        const kind =
          kindOf(condition, program) ??
          chosenItem(condition, program) ??
          documentedKind(condition, program, model) ??
          (isFlaggedByCount(condition, program, model) ? "a number" : undefined);
        if (kind === undefined) continue;
        const text = excerpt(node.value.slice(condition.start, condition.end), 40);
        const at = { node, from: condition.start, to: condition.end };
        report(textAsCondition, at, { text, kind, instead: helpFor[kind] });
      }
    },
  },
};
export default module;

type Kind = "a text" | "a number" | "a list" | "an object" | "a 1 or a 0";

/** What a customer typed, or chose of several, is no flag, nor is the default of a field that was left out. */
function kindOfField({ root, rootExact, fields = [], syntax }: Expansion): Kind | undefined {
  const [field, ...others] = fields;
  if (root !== "custom_data" || rootExact !== true || syntax.path.length !== 3) return undefined;
  if (field === undefined || others.length > 0) return undefined;
  if (field.type === "multiselect") return "a list";
  const isTyped = field.type === "text" || field.type === "textarea";
  return isTyped || staticOptions(field).length > 0 ? "a text" : undefined;
}

const helpFor: Readonly<Record<Kind, string>> = {
  "a text": "Compare it with what it should be.",
  "a number": "Compare it: `> 0`.",
  "a list": "Compare it: `!= []`.",
  "an object": "Ask for the member of it that is meant.",
  "a 1 or a 0": "Compare it with what it should be: the number `1` or the text.",
};

/** What decides in a program: the conditions of `if` and `select`, and what they are made of. */
export function conditionsIn(program: JqProgram): readonly Expression[] {
  const conditions = [
    ...nodesOfKind(program, "If").flatMap(({ branches }) =>
      // `if .tags then .tags else [] end` is a default where there is none.
      branches.flatMap(({ condition, body }) =>
        textAt(bare(condition), program) === textAt(bare(body), program) ? [] : [condition],
      ),
    ),
    ...nodesOfKind(program, "Call").flatMap(({ name: { text }, arguments: given }) =>
      text === "select" && given.length === 1 ? given : /^(?:any|all)$/.test(text) ? given.slice(-1) : [],
    ),
  ];
  return conditions.flatMap(operandsOf);
}

function operandsOf(condition: Expression): readonly Expression[] {
  const node = bare(condition);
  // An expansion or a constant beside `and` or `or` is told as a constant operand.
  if (node.kind === "Logical")
    return node.operands
      .filter((each) => bare(each).kind !== "Hole" && constantOf(each) === undefined)
      .flatMap(operandsOf);
  if (node.kind === "Pipeline") {
    const stages = stagesOf(node);
    const last = stages.at(-1);
    // Whatever is before `not` is the condition.
    if (last?.kind === "Call" && last.name.text === "not" && stages.length === 2)
      return operandsOf(stages[0]!);
  }
  return [condition];
}

/** By the form of what makes a value; a constant is told as that. */
function kindOf(condition: Expression, program: JqProgram): Kind | undefined {
  const node = bare(condition);
  switch (node.kind) {
    case "Variable":
    case "Identity": {
      const source = valueBehind(node, program);
      return source.kind === node.kind ? undefined : kindOf(source, program);
    }
    case "Hole": {
      const hole = program.holes[node.hole];
      const made = hole === undefined ? undefined : definitionInStep(hole);
      if (made !== undefined) return kindOf(made.node, made.program);
      return hole === undefined ? undefined : kindOfField(hole);
    }
    case "Postfix": {
      const made = definitionOfInput(node, program);
      return made === undefined ? undefined : kindOf(made.node, made.program);
    }
    case "Alternative":
      return kindOfDefault(node.operands.at(-1)!);
    case "Array":
      return "a list";
    case "String":
      // A variable's name in it is told as that.
      return /\$[A-Za-z_]\w*\./.test(`${constantOf(node)}`) ? undefined : "a text";
    case "Pipeline": {
      const last = stagesOf(node).at(-1);
      return last?.kind === "Call" ? kindOf(last, program) : undefined;
    }
    case "Call":
      return defines(program, node.name.text) ? undefined : kindOfCall(node.name.text);
    default:
      return undefined;
  }
}

/** A default that counts as true itself: `.email // ""` is never false. `// true` is told as that. */
function kindOfDefault(node: Expression): Kind | undefined {
  const inner = bare(node);
  if (inner.kind === "Array") return "a list";
  const value = constantOf(inner);
  if (typeof value === "number") return "a number";
  return typeof value === "string" ? "a text" : undefined;
}

/** An item of what a customer chose of several, each of them a text: `any($kinds[]; .)`. */
function chosenItem(condition: Expression, program: JqProgram): Kind | undefined {
  if (condition.kind !== "Identity") return undefined;
  const call = nodesOfKind(program, "Call").find((each) => each.arguments.includes(condition));
  const items = call?.arguments.length === 2 ? bare(call.arguments[0]!) : undefined;
  if (items?.kind !== "Postfix" || items.suffixes.length !== 1 || items.suffixes[0]?.kind !== "Iterate")
    return undefined;
  const field = fieldChosen(items.head as Expression, program);
  return field?.type === "multiselect" && staticOptions(field).length > 0 ? "a text" : undefined;
}

/** By what a comment says of a member: `userErrors is always a list`, `state is open or closed`; GraphQL services call a list of refusals so. */
function documentedKind(condition: Expression, program: JqProgram, model: Model): Kind | undefined {
  const node = bare(condition);
  const last = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  const name = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
  if (name === undefined) return undefined;
  if (name === "userErrors" && asksGraphql(model)) return "a list";
  const also = [model.api?.node, ...intakesAround(program.command.unit)].flatMap((each) => each ?? []);
  const said =
    hasComments(model) && documentedArrays(program.node, also).has(name) && !isFlagToo(name, program, also);
  if (said) return "a list";
  if (!hasComments(model)) return undefined;
  if (isObjectOfFlags(name, program, also)) return "an object";
  if (isFlagAsText(name, program, also)) return "a 1 or a 0";
  return isOneOfWords(name, program, also) ? "a text" : undefined;
}

/** Whether a comment says of another record that the member is a flag there. */
const isFlagToo = (name: string, program: JqProgram, also: readonly ObjectNode[]): boolean =>
  documentedClauses(program.node, also).some(
    ({ text }) =>
      /\btrue or false\b|\bboolean\b/.test(text) &&
      new RegExp(`(?<![\\w-])${escapedPattern(name)}(?![\\w-])`).test(text),
  );

/**
 * Whether a comment shows a member as an object of flags, `consent {mail: boolean, phone: boolean}`, none of which is read where the condition
 * decides: who asks whether the object is there reads them.
 */
function isObjectOfFlags(name: string, { node, command }: JqProgram, also: readonly ObjectNode[]): boolean {
  const comments = commentsAround(node, also);
  const written = escapedPattern(name);
  const shown = new RegExp(String.raw`(?<![\w.])${written}["\`]?(?::| is| are| as|,)? ?\{([^{}]{1,200})\}`);
  const said = comments.flatMap(({ value }) => shown.exec(value)?.[1] ?? []);
  if (!said.some((members) => /[:=] ?(?:booleans?|bool|true|false)\b/.test(members))) return false;
  if (said.some((members) => /\bnull\b/.test(members))) return false;
  if (documentedNulls(node, also).has(name)) return false;
  if (
    comments.some(({ value }) =>
      new RegExp(
        String.raw`(?<![\w.])${written}["\`]?[^.;{}]{0,20}(?:\{[^{}]*\})?[^.;{}]{0,20}${absent}`,
        "i",
      ).test(value),
    )
  )
    return false;
  const decided = JSON.stringify(toJson(command.node));
  return !new RegExp(
    String.raw`(?<![\w-])${written}\??(?:\.[A-Za-z_\[]|\[)|\b${written}\b[^a-z]{0,12}\btype\b`,
  ).test(decided);
}

const absent = String.raw`\b(?:null|missing|absent|left out|optional|without|until|unless|only (?:if|for|when))\b`;

/** Whether a comment lists the words that a member has, and says nothing of one that is missing. */
function isOneOfWords(name: string, program: JqProgram, also: readonly ObjectNode[]): boolean {
  const list = documentedWords(name, program.node, also);
  return (
    list !== undefined &&
    list.words.length > 1 &&
    !list.words.some((word) => /^(?:yes|no|on|off|true|false|set|unset|none|null)$/i.test(word)) &&
    !mayBeMissing.test(list.comment.value)
  );
}

const mayBeMissing =
  /\b(?:null|absent|missing|empty|without|unless|optional|unset|unknown|not (?:yet|there|set|given|known|always)|left out|if (?:any|there|one|it|known))\b/i;

/** Whether a comment says that a flag is no boolean: `inspected is 1 or 0`, `receipt: "yes" or "no"`. */
const isFlagAsText = (name: string, program: JqProgram, also: readonly ObjectNode[]): boolean =>
  documentedClauses(program.node, also).some(({ text }) => flag(name).test(text));

const flag = memoize(
  (name): RegExp =>
    new RegExp(
      String.raw`(?<![\w.])${escapedPattern(name)}["'\`]?(?: is| comes as|:) (?:always |the text |a text, )?["'\`]?(?:1["'\`]? or ["'\`]?0|0["'\`]? or ["'\`]?1|yes["'\`]? or ["'\`]?no|[JY]["'\`]? or ["'\`]?N)\b`,
    ),
  200,
);

function kindOfCall(name: string): Kind | undefined {
  if (name === "length" || name === "tonumber" || name === "floor") return "a number";
  if (name === "map" || name === "keys") return "a list";
  return name === "tostring" || name === "tojson" || name === "join" ? "a text" : undefined;
}
