import { expect, test } from "vitest";
import { infer } from "../../src/index.ts";
import { typeOfValue } from "../../src/internal.ts";

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

// Definitions may call one another over thousands of steps: then what they give isn't known.
test.each([
  ["calls", (inner: string) => inner],
  ["calls in arguments of builtins", (inner: string) => `map(select(${inner}))`],
  ["calls in updates", (inner: string) => `${inner} |= 1`],
  ["calls in brackets", (inner: string) => `[{b: (${inner})}]`],
])("chains of definitions: %s", (_, body) => {
  const definitions = Array.from({ length: 3000 }, (_, index) => `def a${index + 1}: ${body(`a${index}`)};`);
  const { diagnostics } = infer(`def a0: .x; ${definitions.join(" ")} a3000`, typeOfValue({ x: 1 }));
  expect(diagnostics).toEqual([]);
});
