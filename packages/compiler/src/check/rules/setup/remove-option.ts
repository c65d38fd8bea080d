import type { Fix } from "../../../findings/rule.ts";
import type { Document, Location } from "../../../parse/document.ts";
import { removeItem } from "../../edits.ts";
import { valueAt } from "../http/at.ts";

/** The fix of a finding at a value of an option that is one too many. Unsafe: another value may be meant. */
export function removeOption(document: Document, at: Location): readonly Fix[] {
  const value = valueAt(document, at);
  const item = value?.parent?.kind === "member" ? value.parent.parent : undefined;
  if (item?.parent?.kind !== "array") return [];
  return [{ title: "Remove the option", safe: false, edits: [removeItem(document, item.parent, item)] }];
}
