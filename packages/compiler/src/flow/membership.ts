import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { bare, countedBy, textAt } from "./nodes.ts";

/** What a condition says of a list: that it has items, or that something is one of them. */
export interface ListTest {
  readonly asks: "filled" | "member";
  /** The list, as it is written. */
  readonly list: string;
  /** False where it asks for the opposite. */
  readonly holds: boolean;
}

/** Reads `($v | length) > 0`, `$v == []`, `.x | IN($v[])`, `$v | index(.x)`, `any($v[]; . == 1)` and their opposites. */
export function listTest(condition: Expression, program: JqProgram): ListTest | undefined {
  const node = bare(condition);
  if (node.kind === "Pipeline") return piped(node.stages as Expression[], program);
  if (node.kind === "Call" && (node.name.text === "any" || node.name.text === "IN"))
    return node.arguments.length === 2
      ? member(node.arguments[node.name.text === "any" ? 0 : 1], program)
      : undefined;
  if (node.kind !== "Comparison") return undefined;
  const { operator, left, right } = node;
  const value = constantOf(right);
  if (value === null) {
    const inner = listTest(left, program);
    if (inner?.asks !== "member") return undefined;
    return operator === "!=" ? inner : operator === "==" ? opposite(inner) : undefined;
  }
  const list = countedBy(left);
  if (list !== undefined && value === 0) {
    if (operator === "==" || operator === "<=") return opposite(about("filled", list, program));
    return operator === ">" || operator === "!=" ? about("filled", list, program) : undefined;
  }
  if (right.kind !== "Array" || right.body !== undefined) return undefined;
  if (operator === "==") return opposite(about("filled", left, program));
  return operator === "!=" ? about("filled", left, program) : undefined;
}

function piped(stages: readonly Expression[], program: JqProgram): ListTest | undefined {
  const [first, last] = [stages[0], stages.at(-1)];
  if (first === undefined || last?.kind !== "Call") return undefined;
  if (last.name.text === "not")
    return opposite(stages.length === 2 ? listTest(first, program) : piped(stages.slice(0, -1), program));
  if (stages.length !== 2) return undefined;
  const [argument] = last.arguments;
  if (last.name.text === "IN" && last.arguments.length === 1) return member(argument, program);
  const asks = last.name.text === "any" || last.name.text === "index";
  return asks && argument !== undefined ? about("member", first, program) : undefined;
}

const opposite = (test: ListTest | undefined): ListTest | undefined =>
  test === undefined ? undefined : { ...test, holds: !test.holds };

function about(
  asks: ListTest["asks"],
  node: Expression,
  { node: { value } }: JqProgram,
): ListTest | undefined {
  const inner = bare(node);
  if (inner.kind !== "Variable" && inner.kind !== "Postfix" && inner.kind !== "Hole") return undefined;
  return { asks, list: value.slice(inner.start, inner.end).trim(), holds: true };
}

/** `$v` of `$v[]`. */
function member(node: Expression | undefined, program: JqProgram): ListTest | undefined {
  if (node?.kind !== "Postfix" || node.suffixes.at(-1)?.kind !== "Iterate") return undefined;
  const text = textAt(node, program).replace(/\[\]$/, "");
  return { asks: "member", list: text, holds: true };
}
