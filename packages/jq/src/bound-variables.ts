import type { Pattern, VariablePattern } from "./syntax-tree.ts";

/**
 * The variables that a pattern binds, in the order in which jq does so: an array's items from the last to the first,
 * an object's members from the first to the last. Of several places with one name the first in that order counts, so
 * `[$a, $a]` binds the second item and `{a: $x, b: $x}` the member `a`.
 */
export function boundVariables(pattern: Pattern): readonly VariablePattern[] {
  switch (pattern.kind) {
    case "VariablePattern":
      return [pattern];
    case "ArrayPattern":
      return pattern.items.toReversed().flatMap(boundVariables);
    case "ObjectPattern":
      return pattern.entries.flatMap(({ key, pattern: below }) => [
        ...(key.kind === "VariablePattern" ? [key] : []),
        ...(below === undefined ? [] : boundVariables(below)),
      ]);
  }
}
