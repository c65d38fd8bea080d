import { pointerToken } from "@configc/jq/internal";
import type { Location } from "../parse/document.ts";
import { type JsonNode, nodeAt, type SyntaxNode } from "../parse/syntax-tree.ts";

/** The node that a location is in; a bare span is looked up in the tree. */
export function nodeOf(root: JsonNode | undefined, at: Location): SyntaxNode | undefined {
  if ("from" in at) return at.node;
  if ("kind" in at) return at;
  return nodeAt(root, at.start);
}

/** JSON Pointer (RFC 6901) of a node; a key has the pointer of its member. */
export function pointerTo(node: SyntaxNode | undefined): string {
  return path(node, (index) => `${index}`);
}

/**
 * The pointer by names: an array item is called by its `name`, `id` or `type` instead of its index, so that a fingerprint
 * survives the insertion of another item.
 */
export function namedPointerTo(node: SyntaxNode | undefined): string {
  return path(node, (index, item) => {
    if (item.kind !== "object") return `${index}`;
    for (const name of ["name", "id", "type"]) {
      const value = item.get(name);
      if (value?.kind === "string" || value?.kind === "number") return `${value.value}`;
    }
    return `${index}`;
  });
}

function path(node: SyntaxNode | undefined, itemName: (index: number, item: JsonNode) => string): string {
  const segments: string[] = [];
  let at: SyntaxNode | undefined = node;
  while (at !== undefined) {
    if (at.kind === "member") {
      segments.push(pointerToken(at.name));
      at = at.parent;
      continue;
    }
    const parent: SyntaxNode | undefined = at.parent;
    if (parent?.kind === "array") segments.push(pointerToken(itemName(parent.items.indexOf(at), at)));
    at = parent;
  }
  return segments.length === 0 ? "" : `/${segments.reverse().join("/")}`;
}
