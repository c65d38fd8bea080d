import { children, type Expression, type Node } from "@configc/jq";
import { decodedOffset } from "../parse/string-map.ts";
import type { Span } from "../parse/syntax-tree.ts";
import {
  givesOne,
  isClosed,
  isConstantInTime,
  isJqStep,
  partGivesOne,
  readsInput,
  withProgram,
} from "./programs.ts";
import { isStep, type Refactor, type Site } from "./refactoring.ts";
import { replaceWithSteps } from "./replace-with-steps.ts";

/** Makes a step of the selected expression of a program; its value is read as `${piped_content.N}` then. */
export const extractStep: Refactor = ({ model, command, range }: Site) => {
  if (!isJqStep(command) || range.start === range.end) return [];
  const { program, stepsRun } = command;
  const { node } = program;
  if (range.start <= node.start || node.end <= range.end) return [];
  const { text } = model.document;
  const selected = trimmed(node.value, {
    start: decodedOffset(text, node, range.start),
    end: decodedOffset(text, node, range.end),
  });
  const path = pathTo(program.tree.body, selected);
  const expression = path?.at(-1);
  if (path === undefined || expression === undefined || trivial.has(expression.kind)) return [];
  // It has to be evaluated whenever the program gives something, with the program's own input.
  if (path.length < 2 || !givesOne(model, program)) return [];
  const { start, end } = expression;
  if (!partGivesOne(model, program, start, end) || !isClosed(program, start, end)) return [];
  if (!isConstantInTime(program.tree)) return [];
  const first = isStep(command) ? stepsRun : 0;
  const rest = `${node.value.slice(0, start)}\${piped_content.${first + 1}}${node.value.slice(end)}`;
  // The rest of the program keeps the input that it had, if it reads it.
  const kept = readsInput(program, expression) ? `\${piped_content.${first}} | ${rest}` : rest;
  const edits = replaceWithSteps(model, command, [
    withProgram(model, command, node.value.slice(start, end)),
    withProgram(model, command, kept),
  ]);
  return edits === undefined ? [] : [{ title: "Extract into a new step", kind: "extract", edits }];
};

const trivial: ReadonlySet<Node["kind"]> = new Set([
  "Identity",
  "Number",
  "String",
  "Hole",
  "Missing",
  "Variable",
]);

function trimmed(text: string, { start, end }: Span): Span {
  const part = text.slice(start, end);
  return { start: start + part.length - part.trimStart().length, end: start + part.trimEnd().length };
}

/**
 * The expressions from a program's body to the one at a span; undefined where there is none, or where it may be evaluated with
 * another input, not at all, or where its failure may be caught.
 */
function pathTo(body: Expression, { start, end }: Span): readonly Expression[] | undefined {
  const path: Expression[] = [];
  let at: Node | undefined = body;
  while (at !== undefined) {
    if (isExpression(at)) path.push(at);
    if (at.start === start && at.end === end && isExpression(at)) return path;
    at = evaluatedOnce(at).find((inner) => inner.start <= start && end <= inner.end);
  }
  return undefined;
}

function isExpression(node: Node): node is Expression {
  return !["Entry", "Interpolation", "StringText", "ArithmeticOperand", "Binding", "Branch", "Name"].includes(
    node.kind,
  );
}

/** The parts of a node that are evaluated with its own input whenever it gives something. */
function evaluatedOnce(node: Node): readonly Node[] {
  switch (node.kind) {
    case "Pipeline": {
      const declarations = node.stages.findIndex(({ kind }) => kind !== "Binding" && kind !== "Definition");
      return node.stages.slice(0, declarations + 1).filter(({ kind }) => kind !== "Definition");
    }
    case "Binding":
      return node.patterns.length === 1 ? [node.source] : [];
    case "Logical":
      return node.operands.slice(0, 1);
    case "If":
      return node.branches.slice(0, 1);
    case "Branch":
      return [node.condition];
    case "Assignment":
      return node.operator === "|=" || node.operator === "//=" ? [] : [node.value];
    case "Postfix":
      return node.suffixes.some(({ kind }) => kind === "Optional") ? [] : [node.head];
    case "Entry":
      return node.value === undefined ? [] : [node.value];
    case "Group":
    case "Array":
    case "Object":
    case "Comparison":
    case "Arithmetic":
    case "ArithmeticOperand":
    case "Negation":
    case "String":
    case "Interpolation":
      return children(node);
    default:
      return [];
  }
}
