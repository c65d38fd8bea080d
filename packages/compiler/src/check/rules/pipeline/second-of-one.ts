import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { bare, countedBy, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { StringNode, SyntaxNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const secondOfOne = defineRule<{ read: string; condition: string; instead: string }>({
  id: "pipeline/second-of-one",
  severity: "warning",
  summary: "A condition makes sure of one record, and the second one is read",
  why: "Lists begin at 0. Where a condition asks whether a list has a record, only the place 0 is certain to be there. Place 1 is the second record: mostly it is missing, and otherwise it is somebody else's.",
  guards: ["command.!switch", "command.!jq", "expansion.piped_content", "D6"],
  message: ({ read, condition }) =>
    `\`${read}\` is the second record, but \`${condition}\` asks for one only.`,
  because: ({ read, condition }) => [
    "the list has one record",
    `\`${condition}\` leads here`,
    `\`${read}\` is missing`,
  ],
  help: ({ instead }) => `Write \`${instead}\`.`,
  examples: [
    {
      title: "In the case of a `!switch`",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) == 0 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PUT", "path": "/people/${piped_content.1.«people[1]».id}", "body": {"email": "${piped_content.0.email}"}}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) == 0 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PUT", "path": "/people/${piped_content.1.people[0].id}", "body": {"email": "${piped_content.0.email}"}}}]}}]}',
    },
    {
      title: "In the branch of a program",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if (.phones | length) > 0 then {email: .email, phone: .«phones[1]».number} else {email: .email} end"}',
      good: '{"!jq": "if (.phones | length) > 0 then {email: .email, phone: .phones[0].number} else {email: .email} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [secondOfOne],
  checks: {
    program(program, report) {
      const { node, command, diagnostics } = program;
      if (diagnostics.length > 0 || !/\blength\b|[!=]=\s*\[\]|\[0\]/.test(node.value)) return;
      for (const { condition, name, way } of waysWithOne(program)) {
        for (const at of secondsIn(name, placesOf(way, program))) {
          // `The first is always the switchboard, the second the person's own.`
          if (
            commentsAround(command.node, []).some(({ value }) =>
              /\bsecond\b(?! (?:step|request|call|run|time|case|page|try|GET|PUT|POST|PATCH)\b)|\bthe first (?:is|one)\b/i.test(
                value,
              ),
            )
          )
            continue;
          const read = at.node.value.slice(at.from, at.to);
          const instead = read.replace(/1(?=\]?$)/, "0");
          report(secondOfOne, at, { read, condition: textAt(condition, program), instead });
        }
      }
      // The cases of a `!switch` are chosen by their numbers.
      function placesOf(way: Expression | number, own: JqProgram): readonly StringPart[] {
        if (command.key !== "!switch") return typeof way === "number" ? [] : [partAt(own, way)];
        const index = typeof way === "number" ? way : constantOf(way);
        const chosen = typeof index === "number" ? command.children[index] : undefined;
        return chosen === undefined ? [] : textsIn(chosen.node).map(wholeOf);
      }
    },
  },
};
export default module;

interface Way {
  readonly condition: Expression;
  /** The member that holds the list. */
  readonly name: string;
  /** What is done where the list certainly has one record, and not certainly more; or the case. */
  readonly way: Expression | number;
}

/** The ways of a program, or of the `!switch` that it decides for, on which a list has a record at least. */
function waysWithOne(program: JqProgram): readonly Way[] {
  const body = plainBody(program);
  const isSwitch = program.command.key === "!switch";
  // `.people | length`, `[(.people | length), 1] | min`
  const counted = isSwitch ? countedIn(body) : undefined;
  const name = counted === undefined ? undefined : nameOf(counted, program);
  if (name !== undefined) return [{ condition: body, name, way: 1 }];
  const further = isSwitch ? countedFirst(body) : undefined;
  const choices = !isSwitch
    ? nodesOfKind(program, "If")
    : body.kind === "If"
      ? [body]
      : further === undefined
        ? []
        : [further.node];
  return choices.flatMap(({ branches, otherwise }) =>
    branches.flatMap(({ condition, body: taken }, index): readonly Way[] => {
      const asked =
        further === undefined ? askedIn(condition, program) : askedOfCount(condition, further.list, program);
      if (asked === undefined) return [];
      // What was asked before may have left several only.
      if (asked.least === 1 && (index === 0 || asked.isExact))
        return [{ condition, name: asked.name, way: taken }];
      const isOnly = branches.length === 1 && otherwise !== undefined;
      return asked.least === 0 && isOnly ? [{ condition, name: asked.name, way: otherwise }] : [];
    }),
  );
}

/** The list whose length chooses the case, as it is or at most 1. */
function countedIn(body: Expression): Expression | undefined {
  const list = countedBy(body);
  if (list !== undefined || body.kind !== "Pipeline") return list;
  const [both, least, ...others] = body.stages as readonly Expression[];
  if (both?.kind !== "Array" || least?.kind !== "Call" || least.name.text !== "min" || others.length > 0)
    return undefined;
  const items = both.body?.kind === "Comma" ? both.body.items : [];
  const [other] = items.filter((each) => constantOf(each) !== 1);
  return items.length === 2 && other !== undefined ? countedBy(other) : undefined;
}

/** `.people | length | if . == 0 then 0 else 1 end` */
function countedFirst(body: Expression) {
  if (body.kind !== "Pipeline" || body.stages.length !== 3) return undefined;
  const [list, length, last] = body.stages as readonly Expression[];
  const node = last?.kind === "If" ? last : undefined;
  const isLength = length?.kind === "Call" && length.name.text === "length";
  return list !== undefined && isLength && node !== undefined ? { list, node } : undefined;
}

function askedOfCount(condition: Expression, list: Expression, program: JqProgram): Asked | undefined {
  const node = bare(condition);
  if (node.kind !== "Comparison" || bare(node.left).kind !== "Identity") return undefined;
  return asked(list, node.operator, constantOf(node.right), program);
}

interface Asked {
  readonly name: string;
  /** How many records it makes sure of; 0 where it holds for none. */
  readonly least: 0 | 1;
  readonly isExact: boolean;
}

/** `(.people | length) > 0`, `.people | length == 1`, `.people != []` */
function askedIn(condition: Expression, program: JqProgram): Asked | undefined {
  const node = bare(condition);
  // `.people[0]`
  const first = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  if (node.kind === "Postfix" && first?.kind === "Index" && constantOf(first.index) === 0) {
    const before = node.suffixes.at(-2);
    const name = before?.kind === "Field" && before.key.kind === "Name" ? before.key.text : undefined;
    return name === undefined ? undefined : { name, least: 1, isExact: false };
  }
  if (node.kind === "Pipeline") {
    const [list, last, ...others] = node.stages as readonly Expression[];
    const comparison = last?.kind === "Comparison" ? last : undefined;
    const left = comparison === undefined ? undefined : bare(comparison.left);
    const isLength = left?.kind === "Call" && left.name.text === "length";
    return isLength && list !== undefined && others.length === 0
      ? asked(list, comparison!.operator, constantOf(comparison!.right), program)
      : undefined;
  }
  if (node.kind !== "Comparison") return undefined;
  const list = countedBy(node.left);
  if (list !== undefined) return asked(list, node.operator, constantOf(node.right), program);
  const right = bare(node.right);
  const isNone = right.kind === "Array" && right.body === undefined && /^[!=]=$/.test(node.operator);
  return isNone ? asked(node.left, node.operator, 0, program) : undefined;
}

function asked(list: Expression, operator: string, limit: unknown, program: JqProgram): Asked | undefined {
  const name = nameOf(list, program);
  if (name === undefined) return undefined;
  const compared = `${operator} ${limit}`;
  if (compared === "== 0") return { name, least: 0, isExact: true };
  return /^(?:> 0|!= 0|>= 1|== 1)$/.test(compared)
    ? { name, least: 1, isExact: compared === "== 1" }
    : undefined;
}

function nameOf(list: Expression, program: JqProgram): string | undefined {
  const counted = bare(list);
  return counted.kind === "Hole" ? program.holes[counted.hole]?.syntax.path.at(-1)?.text : lastName(counted);
}

/** Where the second record of a list is read, if no other is. */
function secondsIn(name: string, places: readonly StringPart[]): readonly StringPart[] {
  const all = new RegExp(
    String.raw`(?<=\.)${escapedPattern(name)}(?![\w-])(?:\[([^\]]{0,20})\]|\.(\d+)(?!\d))?`,
    "g",
  );
  const found = places.flatMap(({ node, from, to }) =>
    [...node.value.slice(from, to).matchAll(all)].flatMap((match) => {
      const start = from + match.index;
      // What a customer chose may be called so, too.
      if (/custom_data\.[\w-]+\.$/.test(node.value.slice(Math.max(0, start - 80), start))) return [];
      return [{ index: match[1] ?? match[2], at: { node, from: start, to: start + match[0].length } }];
    }),
  );
  return found.every(({ index }) => index === "1") ? found.map(({ at }) => at) : [];
}

/** The texts of a value, but for its comments. */
function textsIn(node: SyntaxNode): readonly StringNode[] {
  if (node.kind === "string") return [node];
  if (node.kind === "array") return node.items.flatMap(textsIn);
  if (node.kind !== "object") return [];
  return node.members.flatMap(({ name, value }) =>
    value === undefined || name === "_comment" ? [] : textsIn(value),
  );
}

const wholeOf = (node: StringNode): StringPart => ({ node, from: 0, to: node.value.length });
