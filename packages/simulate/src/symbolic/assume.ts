import type { Expression } from "@configc/jq";
import type { Navigator } from "./navigate.ts";
import { isFailure } from "./outcome.ts";
import type { Value } from "./value.ts";

/** Walks an expression; by default with the input of the condition. */
type Walk = (node: Expression, input?: Value) => Value;

/**
 * Notes what has to be so at the outside for a condition to come out one way: an app that stops with an error where `.errors` is there
 * takes it for granted that it mostly isn't.
 *
 * @param holds how the condition comes out where all goes well
 */
export function assume(
  node: Expression,
  holds: boolean,
  walk: Walk,
  navigator: Navigator,
  input?: Value,
): void {
  const again = (part: Expression, wanted = holds, from = input): void =>
    assume(part, wanted, walk, navigator, from);
  switch (node.kind) {
    case "Group":
      again(node.body);
      break;
    case "Logical":
      // Of what is only one of several ways, nothing is known.
      if ((node.operator === "and") === holds) for (const operand of node.operands) again(operand);
      break;
    case "Pipeline": {
      const last = node.stages.at(-1)!;
      if (last.kind === "Definition" || last.kind === "Binding" || last.kind === "Label") break;
      const before: Expression = { ...node, stages: node.stages.slice(0, -1) };
      if (last.kind === "Call" && last.name.text === "not") again(before, !holds);
      else again(last, holds, walk(before, input));
      break;
    }
    case "Comparison": {
      const left = walk(node.left, input);
      const right = walk(node.right, input);
      const isEqual = node.operator === "==" ? holds : node.operator === "!=" ? !holds : undefined;
      // `(.errors // []) != []`: what may be missing mostly is.
      if (isEqual === true && isEmptyList(right))
        navigator.use(left, left.kind === "choice" ? "absent" : "empty");
      if (right.kind !== "literal") break;
      if (left.kind === "made" && left.by === "length") {
        const isEmpty =
          (node.operator === ">" && right.value === 0 && !holds) || (isEqual === true && right.value === 0);
        if (isEmpty) for (const each of left.of) navigator.use(each, "absent");
      } else if (right.value === null) {
        if (isEqual !== undefined) navigator.use(left, isEqual ? "absent" : "present");
      } else if (isEqual !== undefined) navigator.require(left, right.value, isEqual);
      break;
    }
    case "Call":
      if (node.name.text === "has" && !holds) {
        const name = walk(node.arguments[0]!, input);
        if (name.kind === "literal" && typeof name.value === "string" && input !== undefined)
          navigator.use(navigator.member(input, name.value), "absent");
      }
      break;
    default: {
      const value = walk(node, input);
      if (holds) navigator.require(value, false, false);
      else navigator.use(value, "absent");
    }
  }
}

function isEmptyList(value: Value): boolean {
  return value.kind === "list" && value.item.kind === "choice" && value.item.of.length === 0;
}

/** Notes what an `if` supposes whose branches stop with an error. @param fails whether a branch does */
export function assumeBranches(
  node: Extract<Expression, { kind: "If" }>,
  walk: Walk,
  navigator: Navigator,
  input: Value,
  fails: (body: Expression) => boolean = isFailure,
): void {
  for (const { condition, body } of node.branches)
    if (fails(body)) assume(condition, false, walk, navigator, input);
  const [only, ...others] = node.branches;
  if (only !== undefined && others.length === 0 && node.otherwise !== undefined && fails(node.otherwise))
    assume(only.condition, true, walk, navigator, input);
}
