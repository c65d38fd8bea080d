import type { Expression, Stage } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { bare, isExpression, textAt } from "../../../flow/nodes.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { madeBefore } from "../../../flow/step-members.ts";

/** Why a member that an earlier step makes is null or a record, or its id: the step takes one of a list. */
export function oneOfStep(value: Expression, program: JqProgram): string | undefined {
  const ways = madeBefore(value, program) ?? [];
  return ways.length > 0 && ways.every(({ entry }) => entry.value !== undefined && isOneOfList(entry.value))
    ? `\`${textAt(value, program)}\` is one of a list, or null where none fits`
    : undefined;
}

/**
 * Whether an expression gives one record of a list, or the id of one, and null where there is none: `first(.people[] | select(.active) | .id)`,
 * `.quotes | sort_by(.sent_at) | last`, `[.children[] | select(.name == $name)][0]`, each with `// null`, too.
 */
function isOneOfList(given: Expression): boolean {
  const node = bare(given);
  switch (node.kind) {
    case "Alternative": {
      const [first, ...others] = node.operands;
      return first !== undefined && others.every((each) => constantOf(each) === null) && isOneOfList(first);
    }
    case "Call": {
      const [items, ...others] = node.arguments;
      return /^(?:first|last)$/.test(node.name.text) && others.length === 0 && items !== undefined
        ? areRecords(items)
        : false;
    }
    case "Pipeline": {
      const stages = stagesOf(node);
      const last = stages.at(-1);
      const rest = stages.slice(0, -1);
      if (last === undefined || rest.length !== node.stages.length - 1) return false;
      // `… | first | .id`
      if (isId(last)) return rest.length > 0 && takesOne(rest.at(-1)!) && isListOfRecords(rest.slice(0, -1));
      return takesOne(last) && (isListOfRecords(rest) || isByMember(last));
    }
    case "Postfix": {
      // `.alerts[0].id`
      if (isId(node) && node.suffixes.slice(0, -1).some(isFirst)) return true;
      const [index, ...others] = node.suffixes;
      return isFirst(index) && others.length === 0 && isListOfRecords([node.head as Expression]);
    }
    default:
      return false;
  }
}

/** `first`, `max_by(.at)`, `.[0]` */
function takesOne(given: Expression): boolean {
  const node = bare(given);
  if (node.kind === "Call") return /^(?:first|last|max_by|min_by)$/.test(node.name.text);
  return (
    node.kind === "Postfix" &&
    node.head.kind === "Identity" &&
    node.suffixes.length === 1 &&
    isFirst(node.suffixes[0])
  );
}

const isFirst = (suffix: { readonly kind: string; readonly index?: unknown } | undefined): boolean =>
  suffix?.kind === "Index" && /^(?:0|-1)$/.test(`${constantOf(suffix.index as Expression)}`);

/** Whether what stands before is a list, in which records are told apart by their members. */
function isListOfRecords(stages: readonly Expression[]): boolean {
  const last = stages.at(-1);
  const node = last === undefined ? undefined : bare(last);
  if (node?.kind === "Array") return node.body !== undefined && areRecords(node.body);
  return (
    node?.kind === "Call" &&
    (isByMember(node) || (node.name.text === "map" && isSelection(node.arguments[0])))
  );
}

/** `sort_by(.sent_at)`, `max_by(.at)` */
function isByMember(given: Expression): boolean {
  const node = bare(given);
  const [by] =
    node.kind === "Call" && /^(?:sort|max|min|unique)_by$/.test(node.name.text) ? node.arguments : [];
  return by !== undefined && nameOfValue(by) !== undefined;
}

/** `.people[] | select(.active)`, and their ids. */
function areRecords(given: Expression): boolean {
  const node = bare(given);
  const stages: readonly Stage[] = node.kind === "Pipeline" ? node.stages : [node];
  const [last, before] = stages.toReversed();
  if (last === undefined || !isExpression(last)) return false;
  return isId(last) ? before !== undefined || bare(last).kind === "Postfix" : isSelection(last);
}

/** `select(.active)`, which asks for a member. */
function isSelection(given: Expression | undefined): boolean {
  const node = given === undefined ? undefined : bare(given);
  const [condition] = node?.kind === "Call" && node.name.text === "select" ? node.arguments : [];
  const asked = condition === undefined ? undefined : bare(condition);
  if (asked === undefined) return false;
  const side = asked.kind === "Comparison" ? bare(asked.left) : asked;
  const first = side.kind === "Pipeline" ? side.stages[0] : side;
  return first !== undefined && isExpression(first) && nameOfValue(first) !== undefined;
}

/** `.id`, `.customer_id` */
function isId(given: Expression): boolean {
  const node = bare(given);
  return node.kind === "Postfix" && isIdName(nameOfValue(node) ?? "");
}
