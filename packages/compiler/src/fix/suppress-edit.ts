import type { Model } from "../bind/model.ts";
import { addMember, replaceValue } from "../check/edits.ts";
import type { Edit } from "../findings/rule.ts";
import { type JsonNode, nodeAt, type ObjectNode, type SyntaxNode } from "../parse/syntax-tree.ts";
import { languageAt, sectionOf } from "../query/language-at.ts";

/**
 * The edit that silences a rule where it was found (D3): a `_comment` in the smallest object that may have one, or one more
 * line in the one that is there.
 *
 * @param offset where the finding points
 * @param reason why it is silenced; asked for by `suppression/no-reason` if empty
 */
export function suppressEdit(model: Model, offset: number, rule: string, reason: string): Edit | undefined {
  const { document } = model;
  const object = structureAround(nodeAt(document.root, offset));
  if (object === undefined) return undefined;
  const text = `configc-ignore ${rule}: ${reason}`;
  const comment = object.get("_comment");
  if (comment === undefined) return addMember(document, object, "_comment", text);
  if (comment.kind === "string") return replaceValue(comment, [comment.value, text]);
  if (comment.kind !== "array") return undefined;
  const last = comment.items.at(-1);
  const newText = last === undefined ? JSON.stringify(text) : `, ${JSON.stringify(text)}`;
  const at = last?.end ?? comment.start + 1;
  return { start: at, end: at, newText };
}

/** Below `body`, `params` and `headers` a `_comment` is data like any other. */
function structureAround(node: JsonNode | undefined): ObjectNode | undefined {
  for (let at: SyntaxNode | undefined = node; at !== undefined; at = at.parent) {
    if (at.kind !== "object") continue;
    const place = languageAt(at);
    if (place === undefined) continue;
    if (place.value.kind === "command" || sectionOf(place.value, at) !== undefined) return at;
  }
  return undefined;
}
