import type { JsonNode } from "./syntax-tree.ts";

/** The value of a member, or of a member of that, and so on; undefined where it isn't there, or a node on the way is no object. */
export function memberValue(node: JsonNode | undefined, ...names: readonly string[]): JsonNode | undefined {
  let at = node;
  for (const name of names) at = at?.kind === "object" ? at.get(name) : undefined;
  return at;
}
