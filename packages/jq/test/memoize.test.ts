import { expect, test } from "vitest";
import { memoize } from "../src/memoize.ts";

/** A function that counts what it makes. */
function counted(limit: number) {
  const made: string[] = [];
  const lengthOf = memoize((text) => {
    made.push(text);
    return text.length;
  }, limit);
  return { made, lengthOf };
}

test("what a text gave is kept", () => {
  const { made, lengthOf } = counted(10);
  expect(["ab", "c", "ab", "c"].map(lengthOf)).toEqual([2, 1, 2, 1]);
  expect(made).toEqual(["ab", "c"]);
});

test("it is also kept that a text gave nothing", () => {
  const made: string[] = [];
  const none = memoize((text): undefined => void made.push(text), 10);
  expect([none("a"), none("a")]).toEqual([undefined, undefined]);
  expect(made).toEqual(["a"]);
});

test("with one text more than the limit it begins anew", () => {
  const { made, lengthOf } = counted(2);
  for (const text of ["a", "b", "c", "c", "a"]) lengthOf(text);
  expect(made).toEqual(["a", "b", "c", "a"]);
});

test("of long texts the last few are kept", () => {
  const { made, lengthOf } = counted(2);
  const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(1_001)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  for (const text of [a, b, c, d, a, e, a]) lengthOf(text);
  expect(made.map((text) => text[0])).toEqual(["a", "b", "c", "d", "e", "a"]);
});

test("a very long text isn't kept", () => {
  const { made, lengthOf } = counted(2);
  const long = "a".repeat(50_001);
  for (const text of [long, long]) lengthOf(text);
  expect(made).toHaveLength(2);
});
