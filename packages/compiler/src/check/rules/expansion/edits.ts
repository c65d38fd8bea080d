import type { Document, Location } from "../../../parse/document.ts";
import { parseTemplate } from "../../../parse/template.ts";
import { replaceInString } from "../../edits.ts";
import type { Edit, Finding, Fix } from "../../rule.ts";

/** The fix of a misspelled name: changes it where the finding points and at its other uses. */
export function renameFix(finding: Finding, document: Document, name: string | undefined): readonly Fix[] {
  if (name === undefined) return [];
  const places = [finding.at, ...finding.related.map(({ at }) => at)];
  const edits = places.flatMap((at) => nameEdit(document, at, name));
  return [{ title: `Change to \`${name}\``, safe: true, edits }];
}

function nameEdit(document: Document, at: Location, name: string): Edit | [] {
  if (!("from" in at)) return [];
  const { node, from, to } = at;
  const inExpansion = parseTemplate(node.value)?.expansions.some(
    ({ start, end }) => start <= from && to <= end,
  );
  // In jq a member such as `list-id` has to be quoted, unless it already is.
  const bare = inExpansion === true || /^[A-Za-z_]\w*$/.test(name) || node.value.charAt(from - 1) === '"';
  return replaceInString(document, node, from, to, bare ? name : JSON.stringify(name));
}
