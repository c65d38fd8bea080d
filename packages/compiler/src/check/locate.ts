import type { Location } from "../parse/document.ts";
import type { MemberNode, ObjectNode } from "../parse/syntax-tree.ts";

/**
 * Where something that an object lacks is reported (`design.md`, "Where findings point"): the key that owns the object; in an
 * array item the value of its `name`, else `id`, else `type`, else its opening brace.
 */
export function ownerOf(object: ObjectNode): Location {
  if (object.parent?.kind === "member") return object.parent.key;
  for (const name of ["name", "id", "type"]) {
    const value = object.get(name);
    if (value !== undefined && value.kind !== "object" && value.kind !== "array") return value;
  }
  return { start: object.start, end: object.start + 1 };
}

/** The key of a member, the usual place of a finding about the member as such. */
export function keyOf(member: MemberNode): Location {
  return member.key;
}
