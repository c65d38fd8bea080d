import { groupBy, isIdentifier } from "@configc/jq/internal";
import type { Fix } from "../../../findings/rule.ts";
import type { Document, StringPart } from "../../../parse/document.ts";
import { replaceInString } from "../../edits.ts";

/** Reads the member that was meant. */
export function renameRead(
  { nameAt, name }: { readonly nameAt: StringPart; readonly name: string },
  suggestion: string | undefined,
  document: Document,
): Fix[] {
  const { node, from, to } = nameAt;
  if (suggestion === undefined || !isIdentifier(suggestion)) return [];
  // Not written as itself, such as `"a\u0062"`; the key of a pattern may be a variable's name, too.
  if (node.value.slice(from, to) !== name || node.value[from - 1] === "$") return [];
  const edits = [replaceInString(document, node, from, to, suggestion)];
  return [{ title: `Change to \`${suggestion}\``, safe: false, edits }];
}

/** What a member is read of, and where in that. */
interface ReadArgs {
  readonly name: string;
  readonly path: string;
  readonly sender: string;
}

/** Those of one name and one place, in the order of the text: one mistake, however often it is read. */
export function groupedReads<T extends { readonly args: ReadArgs }>(
  reads: readonly T[],
): (readonly [T, ...T[]])[] {
  const found = groupBy(reads, ({ args: { name, path, sender } }) => JSON.stringify([name, path, sender]));
  return [...found.values()];
}
