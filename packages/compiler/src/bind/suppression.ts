import type { MemberNode, ObjectNode, StringNode } from "../parse/syntax-tree.ts";
import type { Suppression } from "./bound-nodes.ts";

const KEYWORD = "configc-ignore";

/** The `"_comment": "configc-ignore RULE, RULE: reason"` of an object, also as an item of an array of comments (D3). */
export function readSuppressions({ value: comment, parent: object }: MemberNode): readonly Suppression[] {
  if (comment === undefined) return [];
  const lines = comment.kind === "array" ? comment.items : [comment];
  return lines
    .filter(
      (line): line is StringNode => line.kind === "string" && line.value.trimStart().startsWith(KEYWORD),
    )
    .map((node) => read(node, object));
}

function read(node: StringNode, object: ObjectNode): Suppression {
  const start = node.value.indexOf(KEYWORD) + KEYWORD.length;
  const colon = node.value.indexOf(":", start);
  const list = node.value.slice(start, colon < 0 ? undefined : colon);
  const rules = [...list.matchAll(/[^\s,]+/g)].map((match) => ({
    id: match[0],
    from: start + match.index,
    to: start + match.index + match[0].length,
  }));
  return { node, object, rules, reason: colon < 0 ? "" : node.value.slice(colon + 1).trim() };
}
