import type { Expansion } from "../../../bind/bound-nodes.ts";
import { stepAt } from "../../../flow/producers.ts";
import { type Made, madeBy } from "../../../flow/step-members.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { ObjectNode } from "../../../parse/syntax-tree.ts";

/** A member of what a request sends that gets the whole output of a program. */
export interface WholeStep {
  readonly member: string;
  readonly object: ObjectNode;
  readonly index: string;
  /** What the program makes, in each of its ways. */
  readonly ways: readonly (readonly Made[])[];
  readonly at: StringPart;
}

/** `"owner": "${piped_content.1}"` below the body or the parameters of an `!http`; what all of a request is called says nothing of what it is. */
export function wholeStep({
  root,
  rootExact,
  syntax,
  node,
  command,
  position,
}: Expansion): WholeStep | undefined {
  const [first, index, ...below] = syntax.path;
  if (root !== "piped_content" || !rootExact || position !== "value" || below.length > 0) return undefined;
  if (syntax.start > 0 || syntax.end < node.value.length || node.parent?.kind !== "member") return undefined;
  const { name: member, parent: object } = node.parent;
  if (command?.key !== "!http" || object === command.argument || object?.kind !== "object") return undefined;
  const step = stepAt(command, Number(index?.text));
  const ways = step?.key === "!jq" ? madeBy(step) : undefined;
  if (first === undefined || index === undefined || ways === undefined) return undefined;
  return { member, object, index: index.text, ways, at: { node, from: first.start, to: index.end } };
}
