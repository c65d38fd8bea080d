import { children, type Expression, type Node } from "@configc/jq";
import type { JqProgram } from "../bind/bound-nodes.ts";

/** A node and all below it. */
export function nodesIn(tree: Node): readonly Node[] {
  const found: Node[] = [tree];
  // It grows while it is gone through.
  for (const node of found) found.push(...children(node));
  return found;
}

/** The nodes of one kind in a program; none where it can't be read. */
export function nodesOfKind<K extends Node["kind"]>(
  { tree, diagnostics }: JqProgram,
  kind: K,
): readonly Extract<Node, { kind: K }>[] {
  if (diagnostics.length > 0) return [];
  return nodesIn(tree).filter((node): node is Extract<Node, { kind: K }> => node.kind === kind);
}

/** An expression without brackets around it. */
export function bare(node: Expression): Expression {
  return node.kind === "Group" ? bare(node.body) : node;
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
