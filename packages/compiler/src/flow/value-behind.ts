import type { Expression, Node } from "@configc/jq";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { derivedFromText } from "../bind/derived.ts";
import { entryOf } from "./literal-object.ts";
import { bare, isExpression, nodesIn } from "./nodes.ts";
import { boundTo } from "./protocol/dependence.ts";
import { stageBefore } from "./protocol/stage-before.ts";

/** What gives an expression's value: what stands in its brackets, what its variable was bound to, or the stage whose output its `.` is. */
export function valueBehind(node: Expression, program: JqProgram): Expression {
  const written = bare(node);
  const source =
    written.kind === "Variable"
      ? boundTo(program, written)
      : written.kind === "Identity"
        ? (stageBefore(program).get(written) ?? selected(program).get(written))
        : undefined;
  return source === undefined || source === written ? written : valueBehind(source, program);
}

/** The same, also of a member of an object that the stage before makes: `""` of `{note: ""} | .note`. */
export function memberBehind(node: Expression, program: JqProgram, depth = 4): Expression {
  const value = valueBehind(node, program);
  const [field, ...others] = value.kind === "Postfix" && value.head.kind === "Identity" ? value.suffixes : [];
  if (value.kind !== "Postfix" || field?.kind !== "Field" || field.key.kind !== "Name") return value;
  const before = others.length > 0 || depth === 0 ? undefined : stageBefore(program).get(value.head);
  const made = before === undefined ? undefined : bare(before);
  const entry = made?.kind === "Object" ? entryOf(made, field.key.text)?.value : undefined;
  return entry === undefined ? value : memberBehind(entry, program, depth - 1);
}

/** The stage before a `select`, by each `.` of its condition. */
const selected = derivedFromText((tree): ReadonlyMap<Node, Expression> => {
  const found = new Map<Node, Expression>();
  for (const node of nodesIn(tree)) {
    if (node.kind !== "Pipeline") continue;
    for (const [index, stage] of node.stages.entries()) {
      const before = node.stages[index - 1];
      if (stage.kind !== "Call" || stage.name.text !== "select" || before === undefined) continue;
      const [condition] = stage.arguments;
      if (condition !== undefined && isExpression(before))
        for (const each of inputsIn(condition)) found.set(each, before);
    }
  }
  return found;
});

/** Each `.` of a condition that is the condition's own input. */
function inputsIn(condition: Expression): readonly Expression[] {
  switch (condition.kind) {
    case "Identity":
      return [condition];
    case "Group":
      return inputsIn(condition.body);
    case "Comparison":
      return [condition.left, condition.right].flatMap(inputsIn);
    case "Logical":
      return condition.operands.flatMap(inputsIn);
    case "Pipeline": {
      const [first] = condition.stages;
      return first !== undefined && isExpression(first) ? inputsIn(first) : [];
    }
    default:
      return [];
  }
}
