import type { Expansion } from "../bind/bound-nodes.ts";

/** The name of the list that stands before an expansion in a path: `lists` of `/lists/${…}`. */
export function listBefore({ node, syntax }: Pick<Expansion, "node" | "syntax">): string | undefined {
  if (node.value.charAt(syntax.start - 1) !== "/") return undefined;
  return /\/([\w-]+)\/$/.exec(node.value.slice(0, syntax.start))?.[1];
}
