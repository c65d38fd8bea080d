import type { FoundNode } from "@configc/compiler/internal";
import { didYouMean } from "../command-line/did-you-mean.ts";
import { all } from "../command-line/phrases.ts";

/** How many of the names that are there a message lists. */
const LISTED = 12;

/** Says that a node which a person named isn't in the config, and what is there instead. */
export function notFound(
  { problem, written, candidates }: Exclude<FoundNode, { readonly node: unknown }>,
  file: string,
): string {
  if (problem === "bad-syntax") return `a name isn't closed: ${written}`;
  return `“${written}” isn't in ${file}.${didYouMean(written, candidates)}${listed(candidates)}`;
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "";
  const more = names.length > LISTED ? [`${names.length - LISTED} more`] : [];
  return ` There ${names.length === 1 ? "is" : "are"} ${all([...names.slice(0, LISTED), ...more])}.`;
}
