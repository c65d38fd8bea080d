import { describe, expect, test } from "vitest";
import { evaluate, type Json } from "../../src/index.ts";

describe("some of a generator's outputs", () => {
  test.each<[string, Json, Json[]]>([
    ["[limit(3; 1, 2, 3, error)], [limit(0; error)]", null, [[1, 2, 3], []]],
    [
      "[limit(1.5; 1, 2, 3)], [skip(1.5; 1, 2, 3)]",
      null,
      [
        [1, 2],
        [2, 3],
      ],
    ],
    [
      "[limit(1, 2; 5, 6)], [skip(0, 1; 5, 6)], [nth(0, 2; 1, 2, 3)]",
      null,
      [
        [5, 5, 6],
        [5, 6, 6],
        [1, 3],
      ],
    ],
    ["[limit(3; range(10)) | limit(2; ., .)]", null, [[0, 0, 1, 1, 2, 2]]],
    ["[limit(1; limit(2; 1, 2), 3)], [label $f | limit(3; 1, break $f, 2)]", null, [[1], [1]]],
    ["first(limit(3; 1, error)), first(skip(1; 1, 2, error))", null, [1, 2]],
    [
      "[limit(3; repeat(1))], [limit(3; recurse(. + 1, . + 2))]",
      0,
      [
        [1, 1, 1],
        [0, 1, 2],
      ],
    ],
    [
      "[path(limit(2; .a, .b, .c))], [path(skip(1; .a, .b))], path(nth(1; .a, .b))",
      {},
      [[["a"], ["b"]], [["b"]], ["b"]],
    ],
    [
      "limit(1; .[]) |= 5, del(skip(1; .[])), pick(first(skip(1; .[])))",
      [1, 2, 3],
      [[5, 2, 3], [1], [null, 2]],
    ],
    [
      "[last(1, 2)], [last(empty)], try path(last(.[])) catch .",
      [1, 2],
      [[2], [], "Invalid path expression with result 2"],
    ],
    [
      "try limit(-1; error) catch ., try skip(-1; 1) catch ., try nth(-1; 1) catch .",
      null,
      [
        "limit doesn't support negative count",
        "skip doesn't support negative count",
        "nth doesn't support negative indices",
      ],
    ],
    [
      '[limit("a"; empty)], try limit("a"; 1) catch .',
      null,
      [[], 'string ("a") and number (1) cannot be subtracted'],
    ],
  ])("%s", (program, input, outputs) => {
    expect(evaluate(program, input)).toEqual(outputs);
  });
});
