import { nearest } from "@configc/jq/internal";

/** " Did you mean x?" or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const suggestion = nearest(name, candidates);
  return suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
}
