import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { textOf } from "../parse/syntax-tree.ts";
import { bare, isExpression, isLength, textAt } from "./nodes.ts";
import { isPlural } from "./nouns.ts";
import { stepBefore } from "./producers.ts";
import { definitionInStep, definitionOfInput } from "./protocol/definition-site.ts";
import { boundTo } from "./protocol/dependence.ts";
import { nameOfPath } from "./record-kind.ts";

/** Names may stand for names. */
const DEEPEST = 4;

/**
 * Whether a number is certainly none below 0: a length, a count by its name, the `total` of a list that was asked for, or what
 * `[…, 0] | max` gives.
 */
export function isNeverBelowNone(given: Expression, program: JqProgram, depth = 0): boolean {
  const node = bare(given);
  if (depth > DEEPEST) return false;
  const next = (each: Expression): boolean => isNeverBelowNone(each, program, depth + 1);
  if (isLength(node) || isCount(node)) return true;
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source !== undefined && next(source);
  }
  if (node.kind === "If") {
    const ways = [...node.branches.map(({ body }) => body), ...(node.otherwise ? [node.otherwise] : [])];
    return node.otherwise !== undefined && ways.every((way) => isSome(constantOf(way)) || next(way));
  }
  if (node.kind === "Pipeline") return isGreatest(node.stages.filter(isExpression));
  const hole = node.kind === "Hole" ? program.holes[node.hole] : undefined;
  const made = hole === undefined ? definitionOfInput(node, program) : definitionInStep(hole);
  return made !== undefined
    ? isLength(made.node) || isChosenOrNone(made.node, made.program)
    : isTotalOfList(node, program);
}

/** `${custom_data.fee.value | default} | if . == "" then 0 else tonumber * 100 end`: what a customer fills in, and 0 for none. */
function isChosenOrNone(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  const [first, decision, ...others] = node.kind === "Pipeline" ? node.stages : [];
  const hole = first?.kind === "Hole" ? program.holes[first.hole] : undefined;
  if (hole?.root !== "custom_data" || decision?.kind !== "If" || others.length > 0) return false;
  const [branch, ...more] = decision.branches;
  const asked = branch === undefined ? undefined : bare(branch.condition);
  const asksForNone =
    asked?.kind === "Comparison" && asked.operator === "==" && constantOf(asked.right) === "";
  if (branch === undefined || more.length > 0 || !asksForNone || constantOf(branch.body) !== 0) return false;
  return !/-/.test(textAt(decision, program));
}

const isSome = (value: unknown): boolean => typeof value === "number" && value >= 0;

/** `[$left - $booked, 0] | max / 60 | floor` */
function isGreatest(stages: readonly Expression[]): boolean {
  const at = stages.findIndex(isGreatestOf);
  const before = at > 0 ? bare(stages[at - 1]!) : undefined;
  const items = before?.kind === "Array" && before.body !== undefined ? bare(before.body) : undefined;
  const hasNone = items?.kind === "Comma" && items.items.some((each) => isSome(constantOf(each)));
  return hasNone && stages.slice(at + 1).every(isRounding);
}

/** `max`, or `max / 60`. */
function isGreatestOf(given: Expression): boolean {
  const node = bare(given);
  if (node.kind === "Call") return node.name.text === "max" && node.arguments.length === 0;
  return (
    node.kind === "Arithmetic" &&
    isGreatestOf(node.first) &&
    node.rest.every(({ operator, operand }) => /^[*/+]$/.test(operator) && isSome(constantOf(operand)))
  );
}

const isRounding = (node: Expression): boolean =>
  node.kind === "Call" && /^(?:floor|round|ceil|tonumber)$/.test(node.name.text);

/** `.registrations_count` */
function isCount(node: Expression): boolean {
  const last = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  return (
    last?.kind === "Field" && last.key.kind === "Name" && /(?:^|_)count$|[a-z]Count$/.test(last.key.text)
  );
}

/** `.total` of what `/patrons/…/loans` answers; of payments it may be a sum. */
function isTotalOfList(node: Expression, { command, node: { value } }: JqProgram): boolean {
  const [suffix, ...others] = node.kind === "Postfix" && node.head.kind === "Identity" ? node.suffixes : [];
  if (suffix?.kind !== "Field" || suffix.key.kind !== "Name" || others.length > 0) return false;
  if (suffix.key.text !== "total") return false;
  // Behind a pipe the input is another one, but for what is named at the start.
  const behind = value.slice(0, node.start).replace(/\bas\s+\$\w+\s*\|/g, "");
  const step = behind.includes("|") ? undefined : stepBefore(command);
  if (step?.key !== "!http" || !/^(?:|get)$/i.test(textOf(step.argument, "method") ?? "")) return false;
  const name = nameOfPath((textOf(step.argument, "path") ?? "").split("?")[0]!);
  return name !== undefined && isPlural(name) && !ofMoney.test(name);
}

const ofMoney =
  /(?:payment|refund|transaction|fee|cost|due|charge|booking|entrie|credit|debit|balance|amount|price|tax|fine|invoice|expense|sale|earning|donation|pledge|gift)s?$|statement/i;
