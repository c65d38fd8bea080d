import { nearest } from "@configc/jq/internal";
import { type Document, type Location, spanOf } from "../../../parse/document.ts";
import { type JsonNode, type MemberNode, nodeAt, type ObjectNode } from "../../../parse/syntax-tree.ts";

/** What a finding points at, for its fixes: the member whose key it is … */
export function memberAt(document: Document, at: Location): MemberNode | undefined {
  const { start } = spanOf(document, at);
  const object = nodeAt(document.root, start);
  return object?.kind === "object" ? object.members.find((member) => member.start === start) : undefined;
}

/** … or the value that it is, or lies in. */
export function valueAt(document: Document, at: Location): JsonNode | undefined {
  return nodeAt(document.root, spanOf(document, at).start);
}

/** The member that a value belongs to. */
export function memberOf(node: JsonNode | undefined): MemberNode | undefined {
  return node?.parent?.kind === "member" ? node.parent : undefined;
}

/** Whether a member is there, or one that is most likely meant to be it: its misspelling is reported once, as such. */
export function hasMember(object: ObjectNode, name: string): boolean {
  if (object.member(name) !== undefined) return true;
  return object.members.some((member) => nearest(member.name, [name]) === name);
}
