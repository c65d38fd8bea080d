import type { StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import type { Trail } from "./origin.ts";

/** Whether a comment stands at one request and a value comes from others: what is said of an answer isn't said of theirs. */
export function isOfOtherRequest(comment: StringNode, trails: readonly Trail[]): boolean {
  let step: SyntaxNode | undefined = comment.parent;
  while (step !== undefined && step.kind !== "object") step = step.parent;
  if (step?.get("!http") === undefined || trails.length === 0) return false;
  return trails.every(({ origin }) => origin.kind === "response" && origin.command.node !== step);
}
