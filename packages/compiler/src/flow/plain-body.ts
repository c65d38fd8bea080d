import type { Call, Definition, Expression, ObjectConstruction, Pattern, Pipeline, Stage } from "@configc/jq";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { derivedFromText } from "../bind/derived.ts";
import { isExpression } from "./nodes.ts";
import { plainIf } from "./plain-if.ts";

/**
 * The expression that makes a program's output of its input, without what changes nothing about that: brackets, `. |` and `| .`, names
 * and definitions before it, and with a sum of objects as one. Rules that ask of what form a program is ask this, so that they see the
 * same in every spelling. How many outputs there are isn't told by it: a name may stand for several values, or for none.
 */
export const plainBody: (program: JqProgram) => Expression = derivedFromText(({ body }) => plain(body));

/** The same for a part of a program. */
export function plain(node: Expression): Expression {
  switch (node.kind) {
    case "Group":
      return plain(node.body);
    case "Pipeline":
      return plainPipeline(node);
    case "If":
      return plainIf(node);
    case "Arithmetic":
      return node.rest.every(({ operator }) => operator === "+")
        ? (merged([node.first, ...node.rest.map(({ operand }) => operand)]) ?? node)
        : node;
    default:
      return node;
  }
}

function plainPipeline(node: Pipeline): Expression {
  const stages = node.stages.filter((stage) => !isIdentity(stage));
  const [only, ...others] = stages.filter(isExpression);
  if (only === undefined) return node.stages.findLast(isExpression) ?? node;
  if (others.length > 0) return stages.length === node.stages.length ? node : { ...node, stages };
  // Names and definitions leave the input as it is; of two with one name, the last counts.
  for (const stage of stages.toReversed()) {
    if (stage.kind === "Binding" && only.kind === "Variable" && isOnly(stage.patterns, only.name))
      return plain(stage.source);
    if (stage.kind === "Definition" && only.kind === "Call" && isCall(only, stage)) return plain(stage.body);
  }
  return plain(only);
}

const isOnly = ([pattern, ...others]: readonly Pattern[], name: string): boolean =>
  others.length === 0 && pattern?.kind === "VariablePattern" && pattern.name === name;

const isCall = (call: Call, { name, parameters }: Definition): boolean =>
  call.name.text === name.text && call.arguments.length === 0 && parameters.length === 0;

function isIdentity(stage: Stage): boolean {
  return stage.kind === "Group" ? isIdentity(stage.body) : stage.kind === "Identity";
}

/** `{a: .x} + {b: .y}` as one object; undefined unless all are objects as they are written. */
function merged(operands: readonly Expression[]): ObjectConstruction | undefined {
  const objects = operands.map(plain);
  const [first, last] = [objects[0], objects.at(-1)];
  if (first?.kind !== "Object" || last === undefined) return undefined;
  const entries = objects.flatMap((each) => (each.kind === "Object" ? each.entries : []));
  return objects.every(({ kind }) => kind === "Object") ? { ...first, entries, end: last.end } : undefined;
}
