import { type Comparison, children, type Expression, type If, type Node, type Stage } from "@configc/jq";
import { groupBy } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { derivedFromText } from "../bind/derived.ts";
import type { StringPart } from "../parse/document.ts";
import type { Span } from "../parse/syntax-tree.ts";
import { furtherIn, notCompared, plainIf } from "./plain-if.ts";

/** A node and all below it. */
export function nodesIn(tree: Node): readonly Node[] {
  const found: Node[] = [tree];
  // It grows while it is gone through.
  for (let at = 0; at < found.length; at++) {
    const below = children(found[at]!);
    for (let index = 0; index < below.length; index++) found.push(below[index]!);
  }
  return found;
}

/** Most rules about programs ask for the nodes of a kind or two: one walk is enough for all of them. */
const nodesByKind = derivedFromText((tree): ReadonlyMap<Node["kind"], readonly Node[]> => {
  const found = new Map<Node["kind"], readonly Node[]>(groupBy(nodesIn(tree), ({ kind }) => kind));
  const [conditions, comparisons] = [found.get("If"), found.get("Comparison")];
  if (conditions !== undefined) found.set("If", plainIfs(conditions as readonly If[]));
  const turned = comparisons === undefined ? [] : (found.get("Pipeline") ?? none).flatMap(turnedIn);
  if (comparisons === undefined || turned.length === 0) return found;
  const plain = new Map(turned);
  return found.set(
    "Comparison",
    comparisons.map((node) => plain.get(node) ?? node),
  );
});

const none: readonly never[] = [];

function turnedIn(node: Node): readonly (readonly [Node, Comparison])[] {
  const plain = node.kind === "Pipeline" ? notCompared(node) : undefined;
  return plain === undefined ? [] : [[plain.of, plain.node]];
}

/** Conditions in their plain form: those in the `else` of others are branches of these. */
function plainIfs(all: readonly If[]): readonly If[] {
  const further = new Set(all.map(furtherIn));
  return all.flatMap((node) => (further.has(node) ? [] : [plainIf(node)]));
}

/** The nodes of one kind in a program, the outer ones first; none where it can't be read. */
export function nodesOfKind<K extends Node["kind"]>(
  program: JqProgram,
  kind: K,
): readonly Extract<Node, { kind: K }>[] {
  if (program.diagnostics.length > 0) return none;
  return (nodesByKind(program).get(kind) ?? none) as readonly Extract<Node, { kind: K }>[];
}

/** Whether a program has a node of one of the kinds: it takes less than to look through its text. */
export function hasAnyOf(program: JqProgram, kinds: readonly Node["kind"][]): boolean {
  if (program.diagnostics.length > 0) return false;
  const found = nodesByKind(program);
  return kinds.some((kind) => found.has(kind));
}

/**
 * An expression without brackets around it, and an expansion without quotes: most of what they give is a text anyway. `a == b | not` is
 * `a != b`.
 */
export function bare(node: Expression): Expression {
  if (node.kind === "Group") return bare(node.body);
  if (node.kind === "Pipeline") return notCompared(node)?.node ?? node;
  return node.kind === "String" ? (holeIn(node) ?? node) : node;
}

/** The expansion that is all of a text. */
function holeIn({ format, parts }: Extract<Expression, { kind: "String" }>): Expression | undefined {
  const [only, ...others] = format === undefined ? parts : [];
  if (only?.kind !== "Interpolation" || others.length > 0) return undefined;
  return only.expression.kind === "Hole" ? only.expression : undefined;
}

/** Whether a stage of a pipeline is one by itself: no definition, variable or label for those after it. */
export function isExpression(stage: Stage): stage is Expression {
  return stage.kind !== "Definition" && stage.kind !== "Binding" && stage.kind !== "Label";
}

/** A part of a program as it is written. */
export function textAt({ start, end }: Span, { node }: JqProgram): string {
  return node.value.slice(start, end).trim();
}

/** The place of a part of a program, or of another text in the document. */
export function partAt({ node }: Pick<StringPart, "node">, { start, end }: Span): StringPart {
  return { node, from: start, to: end };
}

/** `.people` of `.people | length`. */
export function countedBy(node: Expression): Expression | undefined {
  const inner = bare(node);
  if (inner.kind !== "Pipeline") return undefined;
  const [list, last, ...others] = inner.stages as readonly Expression[];
  return last?.kind === "Call" && last.name.text === "length" && others.length === 0 ? list : undefined;
}

/** Whether an expression is a `length`, or ends in one. */
export function isLength(node: Expression): boolean {
  if (node.kind === "Group") return isLength(node.body);
  if (node.kind === "Pipeline") {
    const last = node.stages.at(-1);
    return last?.kind === "Call" && isLength(last);
  }
  return node.kind === "Call" && node.name.text === "length" && node.arguments.length === 0;
}

/** Whether an expression is nothing but an expansion. @param hole its number */
export function isHole(node: Expression, hole: number): boolean {
  const written = bare(node);
  return written.kind === "Hole" && written.hole === hole;
}

/** Whether a program has a definition of its own under a name: then that is no builtin. */
export const defines = (program: JqProgram, name: string): boolean =>
  nodesOfKind(program, "Definition").some((definition) => definition.name.text === name);
