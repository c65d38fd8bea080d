import type { Expression, If } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { entryOf, nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression } from "../../../flow/nodes.ts";
import { plain, plainBody } from "../../../flow/plain-body.ts";
import { stepAt, stepBefore } from "../../../flow/producers.ts";
import { valueBehind } from "../../../flow/value-behind.ts";

/** What chooses the case of a `!switch`: conditions, with the case that each leads to. */
export interface Decision {
  /** The program that asks: that of the `!switch`, or of a step before it. */
  readonly program: JqProgram;
  readonly conditions: readonly Expression[];
  /** The case of each condition, and last the one where none holds; undefined where it isn't known. */
  readonly cases: readonly (Command | undefined)[];
}

/**
 * The decision of a `!switch`: `if … then 0 else 1 end` of its own, or of a step before that has a number or a word for each case:
 * `{kind: (if … then 0 else 1 end)}` with `.kind`, `if … then {route: "check"} else … end` with `{check: 0}[.route]` or `["check"] | index(.route)`.
 */
export function decisionOf({ key, program, children }: Command): Decision | undefined {
  if (key !== "!switch" || program === undefined || program.diagnostics.length > 0) return undefined;
  const body = plainBody(program);
  const caseOf = (index: unknown): Command | undefined =>
    typeof index === "number" ? children[index] : undefined;
  if (body.kind === "If") return decision(body, program, (way) => caseOf(constantOf(way)));
  const { read, indexOf } = choiceIn(body, program);
  const made = madeBefore(read, program);
  return made === undefined
    ? undefined
    : decision(made.node, made.program, (way) => caseOf(indexOf(made.wordOf(way))));
}

function decision(
  { branches, otherwise }: If,
  program: JqProgram,
  caseOf: (way: Expression) => Command | undefined,
): Decision | undefined {
  if (otherwise === undefined) return undefined;
  return {
    program,
    conditions: branches.map(({ condition }) => condition),
    cases: [...branches.map(({ body }) => body), otherwise].map(caseOf),
  };
}

/** What a program reads, and the case that it chooses for a word of it. */
function choiceIn(
  body: Expression,
  program: JqProgram,
): { readonly read: Expression; indexOf(word: unknown): unknown } {
  if (body.kind === "Alternative") {
    const [first, otherwise, ...more] = body.operands;
    const { read, indexOf } = choiceIn(bare(first!), program);
    const last = otherwise === undefined || more.length > 0 ? undefined : constantOf(otherwise);
    return { read, indexOf: (word) => indexOf(word) ?? last };
  }
  if (body.kind === "Postfix" && body.suffixes.length === 1 && body.suffixes[0]?.kind === "Index") {
    const table = valueBehind(body.head as Expression, program);
    if (table.kind === "Object")
      return {
        read: valueBehind(body.suffixes[0].index, program),
        indexOf: (word) => {
          const entry = typeof word === "string" ? entryOf(table, word) : undefined;
          return entry?.value === undefined ? undefined : constantOf(entry.value);
        },
      };
  }
  const [list, call, ...others] = body.kind === "Pipeline" ? body.stages.filter(isExpression) : [];
  if (list !== undefined && call?.kind === "Call" && call.name.text === "index" && others.length === 0) {
    const words = constantOf(list);
    if (Array.isArray(words) && call.arguments.length === 1)
      return {
        read: valueBehind(call.arguments[0]!, program),
        indexOf: (word) => (words.includes(word as never) ? words.indexOf(word as never) : undefined),
      };
  }
  return { read: valueBehind(body, program), indexOf: (word) => word };
}

/** The condition of a step before that makes what is read, with the value that each of its ways gives. */
function madeBefore(read: Expression, program: JqProgram) {
  const { command, holes } = program;
  const hole = read.kind === "Hole" ? holes[read.hole]?.syntax : undefined;
  if (hole?.problem !== undefined) return undefined;
  const path = hole?.path.map(({ text }) => text) ?? [];
  const isStep = path[0] === "piped_content" && path.length > 1 && path.length < 4;
  if (hole !== undefined && !isStep) return undefined;
  const member = hole === undefined ? ownMember(read) : (path[2] ?? "");
  const step = hole === undefined ? stepBefore(command) : stepAt(command, Number(path[1]));
  const made = step?.key === "!jq" && step.program?.diagnostics.length === 0 ? step.program : undefined;
  if (member === undefined || made === undefined) return undefined;
  const body = plainBody(made);
  if (body.kind === "Object" && member !== "") {
    const value = entryOf(body, member)?.value;
    const node = value === undefined ? undefined : plain(value);
    return node?.kind === "If" ? { node, program: made, wordOf: constantOf } : undefined;
  }
  if (body.kind !== "If") return undefined;
  const wordOf = (way: Expression): unknown => {
    const object = member === "" ? way : plain(way);
    const value = object.kind === "Object" ? entryOf(object, member)?.value : undefined;
    return constantOf(member === "" ? way : (value ?? object));
  };
  return { node: body, program: made, wordOf };
}

/** `kind` of `.kind`, and nothing of `.` alone. */
function ownMember(node: Expression): string | undefined {
  if (node.kind === "Identity") return "";
  if (node.kind !== "Postfix" || node.head.kind !== "Identity" || node.suffixes.length !== 1)
    return undefined;
  const [suffix] = node.suffixes;
  return suffix?.kind === "Field" ? nameOf(suffix.key as never) : undefined;
}
