import type { Section } from "../language/index.ts";
import type { MemberNode, ObjectNode } from "../parse/syntax-tree.ts";

/** `"setup": {"setup": {…}}`: an object that is put into another one of its own name, which has nothing else. */
export function doubledWrapper(
  node: ObjectNode,
  { members, open }: Section,
): { member: MemberNode; object: ObjectNode } | undefined {
  const [member] = node.members;
  if (node.members.length !== 1 || open === true || node.parent?.kind !== "member") return undefined;
  if (member!.name !== node.parent.name || Object.hasOwn(members, member!.name)) return undefined;
  return member!.value?.kind === "object" ? { member: member!, object: member!.value } : undefined;
}
