import { expect, test } from "vitest";
import { infer, typeOfValue } from "../../src/index.ts";

// Chains have no limit, unlike brackets: inferring them must need no stack that grows with them.
test.each([
  [".a", "", " = 1"],
  [".[0]", "", " |= 1"],
  [".[]", "", " += 1"],
  [".a?", "", " //= 1"],
  [".a|", "(", ".) = 1"],
  [".a,", "(", ".) = 1"],
  [".a//", "(", ".) |= 1"],
  [".a", "del(", ")"],
  [".a", "path(", ")"],
  [".a", "select(", ") | .b"],
  [".a == 1 and ", "select(", "true) | .b"],
  [".a = 1 | ", "", "."],
  ["elif .b then 2 ", "if .a then 1 ", "else 3 end"],
  [". as [$x] | ", "", "$x"],
])("%s again and again: %s…%s", (part, before, after) => {
  const { type } = infer(before + part.repeat(4000) + after, typeOfValue({ a: 1 }));
  expect(type).toBeDefined();
});
