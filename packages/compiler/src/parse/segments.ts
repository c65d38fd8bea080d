import type { Anchor, ArrayNode, JsonNode, MemberNode } from "./syntax-tree.ts";

/**
 * A part of the tree that moves as one when something before it is edited, and that the trees of many versions of a document
 * share: an item of a list at the top of the document (an intake, a workflow), or another value there.
 */
export interface Segment {
  readonly node: JsonNode;
  readonly anchor: Anchor;
  /** What it stands in, and its offsets, in the document that this list is of. */
  readonly parent: MemberNode | ArrayNode;
  readonly start: number;
  readonly end: number;
}

/** Versions of a document lend one another their segments; who holds them has them at its own offsets. */
export interface Lease {
  holder: unknown;
}

/** Puts every segment of a fresh tree on an anchor of its own; in document order. */
export function segmentsOf(root: JsonNode | undefined): readonly Segment[] {
  if (root?.kind !== "object") return [];
  return root.members.flatMap((member) => {
    const { value } = member;
    if (value === undefined) return [];
    return value.kind === "array"
      ? value.items.map((item) => segment(item, value))
      : [segment(value, member)];
  });
}

function segment(node: JsonNode, parent: Segment["parent"]): Segment {
  const { start, end } = node;
  const anchor = { offset: start };
  hang(node, anchor);
  return { node, anchor, parent, start, end };
}

/** Hangs a tree on an anchor. Nesting is capped by the parser. */
export function hang(node: JsonNode, anchor: Anchor): void {
  node.hangOn(anchor);
  if (node.kind === "array") for (const item of node.items) hang(item, anchor);
  if (node.kind !== "object") return;
  for (const { key, value } of node.members) {
    key.hangOn(anchor);
    if (value !== undefined) hang(value, anchor);
  }
}

/** Whether two trees say the same at the same distances from their beginnings. */
export function sameTree(a: JsonNode, b: JsonNode): boolean {
  return same(a, b, b.start - a.start);
}

function same(a: JsonNode, b: JsonNode, shift: number): boolean {
  if (a.kind !== b.kind || a.start + shift !== b.start || a.end + shift !== b.end) return false;
  if (a.kind === "object" && b.kind === "object") {
    return (
      a.members.length === b.members.length &&
      a.members.every(({ key, value, repeated }, index) => {
        const other = b.members[index]!;
        return (
          repeated === other.repeated &&
          same(key, other.key, shift) &&
          (value === undefined || other.value === undefined
            ? value === other.value
            : same(value, other.value, shift))
        );
      })
    );
  }
  if (a.kind === "array" && b.kind === "array")
    return (
      a.items.length === b.items.length && a.items.every((item, index) => same(item, b.items[index]!, shift))
    );
  if (a.kind === "string" && b.kind === "string")
    return a.value === b.value && a.escaped === b.escaped && a.valid === b.valid;
  return a.kind === "object" || a.kind === "array" || b.kind === "object" || b.kind === "array"
    ? false
    : a.value === b.value;
}
