import { leavesOf } from "./leaves.ts";
import type { Iteration } from "./polling-program.ts";
import { isTrue } from "./value.ts";

const positionName = /page|offset|skip|start/i;

/**
 * Whether pages are read from the last one to the first, as lists that shift are: a number of a page or of a record goes down. The answers of
 * three pages in their order say nothing of such a reading. From page 1 on there is nothing to go back to.
 */
export function isBackwards(pages: readonly Iteration[]): boolean {
  const [first, ...others] = pages.map(leavesOf);
  return (first ?? []).some((leaf, at) => {
    if (!positionName.test(leaf.names.at(-1) ?? "")) return false;
    const values = [leaf, ...others.map((leaves) => leaves[at])].map((each) => each?.value);
    return values.some((value, index) => {
      const before = values[index - 1];
      // Where the cycle ends, the next one begins at the first page again.
      const isReset = value === values[0] && isTrue(pages[index - 1]?.iterate ?? null) === false;
      return (
        typeof value === "number" && typeof before === "number" && value < before && before > 1 && !isReset
      );
    });
  });
}
