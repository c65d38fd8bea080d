import type { Node } from "./tree.ts";

/** Whether a part of a pattern may match nothing; true if that isn't known. */
export function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case "character":
    case "set":
    case "folded":
    case "never":
    case "grapheme":
      return false;
    case "sequence":
      return node.items.every(canBeEmpty);
    case "alternatives":
      return node.items.some(canBeEmpty);
    case "group":
    case "atomic":
      return canBeEmpty(node.body);
    case "repeat":
      return node.min === 0 || canBeEmpty(node.body);
    default:
      return true;
  }
}
