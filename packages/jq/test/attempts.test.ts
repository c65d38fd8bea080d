import { describe, expect, test } from "vitest";
import { evaluate, type JqError, type Json } from "../src/index.ts";

/** Each is tried in an expression with one output, where a failure is given back, and in one with several, where it is thrown. */
describe("what fails gives the same, whether it is thrown or not", () => {
  test.each<[string, Json, Json]>([
    [".a", 1, 'Cannot index number with string ("a")'],
    [".a.b.c", { a: { b: [] } }, 'Cannot index array with string ("c")'],
    ["tonumber", "Name 1", 'string ("Name 1") cannot be parsed as a number'],
    ["tonumber", [1], "array ([1]) cannot be parsed as a number"],
    [".a | tonumber", { a: "x" }, 'string ("x") cannot be parsed as a number'],
    ["toboolean", "yes", 'string ("yes") cannot be parsed as a boolean'],
    ["keys", 5, "number (5) has no keys"],
    ["keys_unsorted | length", "a", 'string ("a") has no keys'],
    ["length", true, "boolean (true) has no length"],
    ["fromjson", "{a", "Invalid numeric literal at EOF at line 1, column 2 (while parsing '{a')"],
    ["fromjson", 1, "number (1) only strings can be parsed"],
    ["error", { code: 7 }, { code: 7 }],
    ["error(null)", 1, null],
    ["error(.a)", { a: [1] }, [1]],
    ["error(.a.b)", { a: 1 }, 'Cannot index number with string ("b")'],
    [".a | error", { a: "x" }, "x"],
    ["(.a | tonumber) + 1", { a: "x" }, 'string ("x") cannot be parsed as a number'],
    ["try error(1) catch error(. + 1)", null, 2],
    ["{a: (.b | tonumber)}", { b: "no" }, 'string ("no") cannot be parsed as a number'],
    ["if .a then .b.c else 1 end", { a: 1, b: 2 }, 'Cannot index number with string ("c")'],
    [". as $x | $x.a", 1, 'Cannot index number with string ("a")'],
    ["map(tonumber)", ["1", "z"], 'string ("z") cannot be parsed as a number'],
  ])("%s of %j", (text, input, value) => {
    expect(evaluate(`[try (${text}) catch .]`, input)).toEqual([[value]]);
    expect(evaluate(`[try (empty, (${text})) catch .]`, input)).toEqual([[value]]);
    expect(evaluate(`[(${text})?], [(${text})? // "none"]`, input)).toEqual([[], ["none"]]);
    expect(evaluate(`try (${text}) catch "constant"`, input)).toEqual(["constant"]);
    try {
      evaluate(text, input);
      expect.unreachable();
    } catch (error) {
      expect((error as JqError).value).toEqual(value);
      expect(text.slice((error as JqError).span!.start, (error as JqError).span!.end)).not.toBe("");
    }
  });
});

test("a failure that is kept says what it said when it failed, whatever is done with its input afterwards", () => {
  const text =
    "reduce range(3) as $i ({list: []}; (try (.list | error(.)) catch .) as $e | .list += [$e | length])";
  expect(evaluate(text, null)).toEqual([{ list: [0, 1, 2] }]);
  const message = "reduce (1, 2) as $i ([]; (try (. as $s | $s.a) catch .) as $e | . + [$e])";
  expect(evaluate(message, null)).toEqual([
    ['Cannot index array with string ("a")', 'Cannot index array with string ("a")'],
  ]);
});

test("failures that are caught count steps", () => {
  expect(() =>
    evaluate("[range(1000000) | try error catch 1] | length", null, { budget: { steps: 2_000_000 } }),
  ).toThrow("too many steps");
});

test("what isn't a failure of the program passes", () => {
  const kind = (text: string) => {
    try {
      evaluate(text, "x", { budget: { steps: 10_000 } });
      return "none";
    } catch (error) {
      return (error as JqError).kind;
    }
  };
  expect(kind("try ([range(1e9)], tonumber) catch 1")).toBe("budget");
  expect(kind("def f: 1 + f; try f catch 1")).toMatch(/depth|budget/);
  expect(kind("try halt catch 1")).toBe("option");
  const broken = (body: string) => evaluate(`label $out | (try (${body}) catch 2), 3`, null);
  expect(broken("error([break $out])")).toEqual(broken("empty, error([break $out])"));
});
