import type { Expansion } from "../../bind/bound-nodes.ts";
import type { SyntaxNode } from "../../parse/syntax-tree.ts";

/** The names below `params` or `body` that an expansion stands under. */
export function namesAt({ node, command }: Expansion): readonly string[] {
  const names: string[] = [];
  for (let at: SyntaxNode | undefined = node; at !== undefined && at !== command?.argument; at = at.parent)
    if (at.kind === "member") names.unshift(at.name);
  return names.slice(names[0] === "params" || names[0] === "body" ? 1 : 0);
}
