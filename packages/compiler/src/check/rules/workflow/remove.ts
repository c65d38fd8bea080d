import type { Fix } from "../../../findings/rule.ts";
import type { Document, Location } from "../../../parse/document.ts";
import { removeMember } from "../../edits.ts";
import { memberAt } from "../http/at.ts";

/** The fix of a finding at the key of a member that has no place there. Unsafe: what the author wanted is another matter. */
export function removeFix(document: Document, at: Location): readonly Fix[] {
  const member = memberAt(document, at);
  if (member === undefined) return [];
  return [{ title: `Remove \`${member.name}\``, safe: false, edits: [removeMember(document, member)] }];
}
