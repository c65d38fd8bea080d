import { isIdentifier } from "@configc/jq/internal";
import type { Finding, Fix } from "../../../findings/rule.ts";
import type { Document, Location, StringPart } from "../../../parse/document.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import { type ExpansionSyntax, parseTemplate } from "../../../parse/template.ts";
import { replaceInString } from "../../edits.ts";

/** The fix of a misspelled name: changes it where the finding points and at its other uses. */
export function renameFix(finding: Finding, document: Document, name: string | undefined): readonly Fix[] {
  if (name === undefined) return [];
  const places = [finding.at, ...finding.related.map(({ at }) => at)].filter(isPart);
  const expansions = new Map<StringNode, readonly ExpansionSyntax[]>();
  const edits = places.map((place) => {
    const { node, from, to } = place;
    let inside = expansions.get(node);
    if (inside === undefined) {
      inside = parseTemplate(node.value)?.expansions ?? [];
      expansions.set(node, inside);
    }
    return replaceInString(
      document,
      node,
      from,
      to,
      needsQuotes(name, place, inside) ? JSON.stringify(name) : name,
    );
  });
  return [{ title: `Change to \`${name}\``, safe: true, edits }];
}

/** In jq a member such as `list-id` has to be quoted, unless it already is. */
function needsQuotes(
  name: string,
  { node, from, to }: StringPart,
  expansions: readonly ExpansionSyntax[],
): boolean {
  if (isIdentifier(name) || node.value.charAt(from - 1) === '"') return false;
  return !expansions.some(({ start, end }) => start <= from && to <= end);
}

function isPart(at: Location): at is StringPart {
  return "from" in at;
}
