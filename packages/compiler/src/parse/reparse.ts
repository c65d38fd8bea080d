import { type Change, changeBetween } from "./change.ts";
import { type Document, ParsedDocument } from "./document.ts";
import { buildTree, misreadSegments, readSegment, withProblemsOf } from "./readings.ts";
import { hang, type Segment, sameTree } from "./segments.ts";
import { type Anchor, ArrayNode, type JsonNode, MemberNode, ObjectNode, StringNode } from "./syntax-tree.ts";

/**
 * Parses another version of a document. Its tree equals that of `parseDocument`, and shares the segments that didn't change
 * with the tree of the version before, which has to take them back (`Document.hold`) before it is read again.
 */
export function reparse(previous: Document, text: string): Document {
  const change = changeBetween(previous.text, text);
  const document = withinSegment(previous, text, change) ?? sharing(previous, text, change);
  document.hold();
  return document;
}

/** The usual case, an edit in one segment that concerns no other: only that segment is parsed. */
function withinSegment(previous: Document, text: string, change: Change): Document | undefined {
  const { root, problems, settled, jsonc, uri, segments, lease } = previous;
  if (!settled || root?.kind !== "object") return undefined;
  const index = segments.findLastIndex(({ start }) => start < change.from);
  const edited = segments[index];
  if (edited === undefined || edited.end <= change.oldTo || !isContainer(edited.node)) return undefined;
  const delta = text.length - previous.text.length;
  const reading = readSegment(text, { start: edited.start, end: edited.end + delta }, edited.parent, jsonc);
  if (reading === undefined) return undefined;
  const anchor: Anchor = { offset: 0 };
  hang(reading.root, anchor);
  const copy = new FrameCopy(
    root,
    segments.map((segment) => (segment === edited ? { ...segment, node: reading.root, anchor } : segment)),
    (offset) => (offset <= edited.start ? offset : offset + delta),
  );
  const tree = { root: copy.root, problems: withProblemsOf(problems, edited, delta, reading), settled };
  if (misreadSegments(tree.problems, copy.segments).length > 1) return undefined;
  const lines = previous.linesAfter(text, change);
  return new ParsedDocument(text, uri, jsonc, tree, { segments: copy.segments, lease, lines });
}

function isContainer({ kind }: JsonNode): boolean {
  return kind === "object" || kind === "array";
}

/** The document's own nodes again, in which the segments stand: the object at its top, its members and lists. */
class FrameCopy {
  readonly root: ObjectNode;
  readonly segments: Segment[] = [];
  private readonly from: readonly Segment[];
  private readonly shifted: (offset: number) => number;

  /** @param from the segments that are to stand in it, in the order of the tree, at the offsets of the original */
  constructor(root: ObjectNode, from: readonly Segment[], shifted: (offset: number) => number) {
    this.from = from;
    this.shifted = shifted;
    this.root = new ObjectNode(root.start, undefined);
    this.root.closeAt(shifted(root.end));
    for (const { key, value, repeated } of root.members) {
      const { start, end, escaped, valid } = key;
      const name = new StringNode(shifted(start), shifted(end), key.value, escaped, valid, undefined);
      const member = new MemberNode(name, this.root, repeated);
      this.root.add(member);
      if (value?.kind === "array") {
        const list = new ArrayNode(shifted(value.start), member);
        list.closeAt(shifted(value.end));
        for (const _ of value.items) list.items.push(this.next(list));
        member.value = list;
      } else if (value !== undefined) member.value = this.next(member);
    }
  }

  private next(parent: Segment["parent"]): JsonNode {
    const { node, anchor, start, end } = this.from[this.segments.length]!;
    this.segments.push({ node, anchor, parent, start: this.shifted(start), end: this.shifted(end) });
    return node;
  }
}

/** A new tree, with the segments of the version before in place of those that are equal. */
function sharing(previous: Document, text: string, change: Change): Document {
  const { from, oldTo, newTo } = change;
  const { uri, jsonc, lease } = previous;
  const tree = buildTree(text, jsonc);
  const { root } = tree;
  const known = new Map(previous.segments.map((segment) => [segment.start, segment]));
  const reused = (node: JsonNode): JsonNode => {
    const { start, end } = node;
    const before = end <= from ? start : start >= newTo ? start - newTo + oldTo : undefined;
    const other = before === undefined ? undefined : known.get(before)?.node;
    return other !== undefined && sameTree(other, node) ? other : node;
  };
  const segments: Segment[] = [];
  const place = (node: JsonNode, parent: Segment["parent"]): JsonNode => {
    const { start, end } = node;
    const shared = reused(node);
    const anchor = shared === node ? { offset: start } : shared.anchor;
    if (shared === node) hang(node, anchor);
    segments.push({ node: shared, anchor, parent, start, end });
    return shared;
  };
  for (const member of root?.kind === "object" ? root.members : []) {
    const { value } = member;
    if (value?.kind === "array")
      value.items.forEach((item, index) => {
        value.items[index] = place(item, value);
      });
    else if (value !== undefined) member.value = place(value, member);
  }
  const lines = previous.linesAfter(text, change);
  return new ParsedDocument(text, uri, jsonc, tree, { segments, lease, lines });
}
