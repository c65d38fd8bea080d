import type { Expression, Node } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { bare, countedBy, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import { readsOfInput } from "../../../flow/reads-of-input.ts";
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
        const seconds =
          name === ""
            ? typeof way === "number"
              ? []
              : secondsOfInput(way, program)
            : secondsIn(name, placesOf(way, program), command.key === "!switch");
        for (const at of seconds) {
          // `The first is always the switchboard, the second the person's own.`
          if (
            commentsAround(command.node, []).some(({ value }) =>
              /\bsecond\b(?! (?:step|request|call|run|time|case|page|try|GET|PUT|POST|PATCH)\b)|\bthe first (?:is|one)\b/i.test(
                value,
              ),
            )
          )
            continue;
          const text = at.node.value.slice(at.from, at.to);
          const read = /^\d/.test(text) ? `piped_content.${text}` : text;
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
  /** The member that holds the list; empty where it is the input. */
  readonly name: string;
  /** What is done where the list certainly has one record, and not certainly more; or the number of the case. */
  readonly way: Expression | number;
}

/** The ways of a program, or of the `!switch` that it decides for, on which a list has a record at least. */
function waysWithOne(program: JqProgram): readonly Way[] {
  const body = plainBody(program);
  if (program.command.key !== "!switch")
    return nodesOfKind(program, "If").flatMap((each) => waysOfChoice(each, undefined, program));
  if (body.kind === "If") return waysOfChoice(body, undefined, program);
  const counted = countedUpTo(body);
  const name = counted === undefined ? undefined : listName(counted, program);
  if (name !== undefined) return [{ condition: body, name, way: 1 }];
  // `.people | length | if . == 0 then 0 else 1 end`
  const last = body.kind === "Pipeline" ? body.stages.at(-1) : undefined;
  if (body.kind !== "Pipeline" || last?.kind !== "If") return [];
  const list = countedBy({ ...body, stages: body.stages.slice(0, -1) });
  const ways = list === undefined ? [] : waysOfChoice(last, list, program);
  return ways.map((each) => ({ ...each, condition: body }));
}

/** `.people | length`, `[(.people | length), 1] | min`: the number of a case is that of the records, or the greatest that there is. */
function countedUpTo(body: Expression): Expression | undefined {
  const list = countedBy(body);
  if (list !== undefined || body.kind !== "Pipeline") return list;
  const [all, last, ...others] = body.stages as readonly Expression[];
  if (all === undefined || last?.kind !== "Call" || last.name.text !== "min" || others.length > 0)
    return undefined;
  const node = bare(all);
  const inner = node.kind === "Array" && node.body !== undefined ? bare(node.body) : undefined;
  // Without parentheses the pipe is around both: `[.people | length, 1]`.
  const [lead, items] =
    inner?.kind === "Pipeline" && inner.stages.length === 2
      ? [inner.stages[0] as Expression, bare(inner.stages[1] as Expression)]
      : [undefined, inner];
  if (items?.kind !== "Comma" || items.items.length !== 2) return undefined;
  const most = items.items.map((each) => constantOf(bare(each))).find((each) => typeof each === "number");
  const count = items.items.find((each) => constantOf(bare(each)) === undefined);
  if (typeof most !== "number" || most < 1 || count === undefined) return undefined;
  if (lead === undefined) return countedBy(count);
  const length = bare(count);
  return length.kind === "Call" && length.name.text === "length" ? lead : undefined;
}

/** @param length the list whose length comes in, if that is what is asked for */
function waysOfChoice(
  { branches, otherwise }: Extract<Expression, { kind: "If" }>,
  length: Expression | undefined,
  program: JqProgram,
): readonly Way[] {
  const ways: Way[] = [];
  for (const [index, { condition, body }] of branches.entries()) {
    const asked = askedIn(condition, length, program);
    if (asked === undefined) continue;
    const { name } = asked;
    // What was asked before may have left several only.
    if (asked.least === 1 && (index === 0 || asked.isExact)) ways.push({ condition, name, way: body });
    if (asked.least !== 0) continue;
    const later = branches.slice(index + 1);
    // What is asked behind it mustn't be about how many there are.
    if (otherwise === undefined || later.some((each) => /\blength\b/.test(textAt(each.condition, program))))
      continue;
    for (const way of [...later.map((each) => each.body), otherwise]) ways.push({ condition, name, way });
  }
  return ways;
}

interface Asked {
  readonly name: string;
  /** How many records it makes sure of; 0 where it holds for none. */
  readonly least: 0 | 1;
  readonly isExact: boolean;
}

/** `(.people | length) > 0`, `.people | length == 1`, `.people != []`, `.people[0]` */
function askedIn(
  condition: Expression,
  length: Expression | undefined,
  program: JqProgram,
): Asked | undefined {
  const node = bare(condition);
  if (length !== undefined)
    return node.kind === "Comparison" && bare(node.left).kind === "Identity"
      ? asked(length, node.operator, constantOf(node.right), program)
      : undefined;
  if (node.kind === "Postfix") {
    const list = listOfFirst(node);
    return list === undefined ? undefined : asked(list, ">", 0, program);
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
  const first = constantOf(node.right) === null ? listOfFirst(bare(node.left)) : undefined;
  if (first !== undefined) return asked(first, node.operator, 0, program);
  const left = bare(node.left);
  const isOwn = left.kind === "Call" && left.name.text === "length" && left.arguments.length === 0;
  const list = isOwn ? own : countedBy(left);
  if (list !== undefined) return asked(list, node.operator, constantOf(node.right), program);
  const right = bare(node.right);
  const isNone = right.kind === "Array" && right.body === undefined && /^[!=]=$/.test(node.operator);
  return isNone ? asked(node.left, node.operator, 0, program) : undefined;
}

function asked(list: Expression, operator: string, limit: unknown, program: JqProgram): Asked | undefined {
  const name = listName(list, program);
  if (name === undefined) return undefined;
  const compared = `${operator} ${limit}`;
  if (compared === "== 0") return { name, least: 0, isExact: true };
  return /^(?:> 0|!= 0|>= 1|== 1)$/.test(compared)
    ? { name, least: 1, isExact: compared === "== 1" }
    : undefined;
}

/** What comes in, whole. */
const own = { kind: "Identity", start: 0, end: 0 } as const satisfies Expression;

/** `.people` of `.people[0]`. */
function listOfFirst(node: Expression): Expression | undefined {
  const last = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  if (node.kind !== "Postfix" || last?.kind !== "Index" || node.suffixes.length < 2) return undefined;
  const index = last.index;
  return constantOf(index) === 0 ? { ...node, suffixes: node.suffixes.slice(0, -1) } : undefined;
}

/** The member that holds a list; the number of the step, where it is all of that, and nothing where a program has it for its input. */
function listName(list: Expression, { command, holes }: JqProgram): string | undefined {
  const counted = bare(list);
  if (counted.kind === "Identity") {
    if (command.key !== "!switch") return "";
    return command.parent?.key === "!pipe" ? `${command.stepsRun}` : undefined;
  }
  return counted.kind === "Hole" ? holes[counted.hole]?.syntax.path.at(-1)?.text : lastName(counted);
}

/**
 * Where the second record of a list is read, if no other is.
 *
 * @param inCase whether the places are those of a case: an expansion without default fails where there is none
 */
function secondsIn(name: string, places: readonly StringPart[], inCase: boolean): readonly StringPart[] {
  const all = new RegExp(
    String.raw`(?<=\.)${escapedPattern(name)}(?![\w-])(?:\[([^\]]{0,20})\]|\.(\d+)(?!\d))?`,
    "g",
  );
  const found = places.flatMap(({ node, from, to }) =>
    [...node.value.slice(from, to).matchAll(all)].flatMap((match) => {
      const start = from + match.index;
      // What a customer chose may be called so, too.
      if (/custom_data\.[\w-]+\.$/.test(node.value.slice(Math.max(0, start - 80), start))) return [];
      const end = start + match[0].length;
      const isNeeded = inCase && /^[\w.[\]-]{0,60}[}>]/.test(node.value.slice(end, end + 62));
      return [{ index: match[1] ?? match[2], isNeeded, at: { node, from: start, to: end } }];
    }),
  );
  const isOnly = found.every(({ index }) => index === "1");
  // Two records in one text are meant to be two.
  const others = new Set(found.filter(({ index }) => index !== "1").map(({ at }) => at.node));
  return found
    .filter(({ index, isNeeded, at }) => index === "1" && (isOnly || (isNeeded && !others.has(at.node))))
    .map(({ at }) => at);
}

/** The same of a list that comes in: `if length > 0 then .[1].name else null end`. */
function secondsOfInput(way: Expression, program: JqProgram): readonly StringPart[] {
  const inside = readsOfInput(way);
  // What takes the list itself, or others of it, may be about all of them.
  return inside.every(isSecond)
    ? inside.map(({ start }) => partAt(program, { start, end: start + ".[1]".length }))
    : [];
}

const isSecond = (node: Node): boolean => {
  const first = node.kind === "Postfix" ? node.suffixes[0] : undefined;
  return first?.kind === "Index" && constantOf(first.index) === 1;
};

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
