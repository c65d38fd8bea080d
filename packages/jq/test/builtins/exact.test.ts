import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExactNumber, evaluate, parseExact, printExact } from "../../src/index.ts";

/** Runs a program on a text of JSON, and gives the outputs as texts. */
const run = (program: string, input = "null") =>
  evaluate(program, parseExact(input), { exact: true }).map(printExact);

const big = "100000000000000000001";

describe("exact numbers", () => {
  test.each<[string, string, string[]]>([
    [".", `[${big}, 1.10, 1e400, -0, 5]`, [`[${big},1.10,1e400,-0,5]`]],
    [".a[0] | ., [.], {b: .}", `{"a": [${big}]}`, [big, `[${big}]`, `{"b":${big}}`]],
    [`${big}, 1.0, [1.50]`, "null", [big, "1.0", "[1.50]"]],
    ["type, (.[1:] | length)", "[1.0, 2.00]", ['"array"', "1"]],
    ["map(type)", `[${big}, 1.0]`, ['["number","number"]']],
    ['tojson, tostring, @text, @json, "\\(.)"', big, Array(5).fill(`"${big}"`)],
    ["@csv, @tsv, @sh, @html", "[1.50]", ['"1.50"', '"1.50"', '"1.50"', '"[1.50]"']],
    ["fromjson, tonumber", `"${big}"`, [big, big]],
    ["tojson | fromjson", `[${big}]`, [`[${big}]`]],
    ["-., abs, length, (-. | abs)", big, [`-${big}`, big, big, big]],
    [
      ". + 0, . * 1, . - 0, . / 1, . % 7, floor, sqrt",
      "100.0",
      ["100", "100", "100", "100", "2", "100", "10"],
    ],
    ["add", `[${big}]`, [big]],
    ["add", `[${big}, 1]`, ["1e+20"]],
    [`. == 100000000000000000000, . == ${big}, . + 0 == ${big}`, big, ["false", "true", "true"]],
    [
      "sort, unique",
      `[${big}, 100000000000000000000, 1e2, 99.9, 100]`,
      [`[99.9,1e2,100,100000000000000000000,${big}]`, `[99.9,1e2,100000000000000000000,${big}]`],
    ],
    [
      "sort",
      "[1e1000000000, -1e1000000000, 1e-1000000000, 0, 0.0e5]",
      ["[-1e1000000000,0,0.0e5,1e-1000000000,1e1000000000]"],
    ],
    ["group_by(.), unique_by(.), min, max", "[1.10, 1.1]", ["[[1.10,1.1]]", "[1.10]", "1.10", "1.1"]],
    ["index(1), contains([1]), inside([1, 2])", "[1.0]", ["0", "true", "true"]],
    ["{a: 1.0} == {a: 1}, ([1.0] | IN([1]))", "null", ["true", "true"]],
    [
      ".[1.0], .[1.0:2.0], (.[1.0] = 5), del(.[1.0]), has(1.0)",
      "[1, 2, 3]",
      ["2", "[2]", "[1,5,3]", "[1,3]", "true"],
    ],
    [
      "[range(2.0)], [limit(2.0; 1, 2, 3)], ([[1]] | flatten(1.0)), ([65.0] | implode)",
      "null",
      ["[0,1]", "[1,2]", "[1]", '"A"'],
    ],
    [
      "isnormal, isnan, isinfinite, todate, (gmtime | mktime)",
      "1.0",
      ["true", "false", "false", '"1970-01-01T00:00:01Z"', "1"],
    ],
    [
      "to_entries, [tostream], [paths], walk(.)",
      '{"a": 1.0}',
      ['[{"key":"a","value":1.0}]', '[[["a"],1.0],[["a"]]]', '[["a"]]', '{"a":1.0}'],
    ],
    [".5, 5., 007, [.[] | -.]", "[1.0]", ["0.5", "5", "7", "[-1.0]"]],
    // What jq reads itself it writes as decimal arithmetic does; what comes in is left alone.
    [
      "., 1e5, 12300e3, 1.20E-10, 0.0000001, 0.000001, 0e5, 0.000e-3, -1e400, 1e1000000000",
      "1e5",
      [
        "1e5",
        "1E+5",
        "1.2300E+7",
        "1.20E-10",
        "1E-7",
        "0.000001",
        "0E+5",
        "0.000000",
        "-1E+400",
        "1.7976931348623157e+308",
      ],
    ],
    [
      "map(tonumber), map(fromjson), map([.] | tojson | fromjson)",
      '["1e5", "1.50", "007"]',
      ["[1E+5,1.50,7]", "[1E+5,1.50,7]", '[["1e5"],["1.50"],["007"]]'],
    ],
    // Also where a double prints so, but for the case of its letter.
    [
      "1e-100, 5e-324, 1e+17, (.[] | tonumber)",
      '["2e-100", "1e+18", "5e-05"]',
      ["1E-100", "5E-324", "1E+17", "2E-100", "1E+18", "0.00005"],
    ],
    ["map(-.)", "[0, -0, 0.0, -0.0, 1e-7]", ["[0,0,0.0,0.0,-1e-7]"]],
    ["have_decnum", "null", ["true"]],
    [
      "try (.a) catch ., try (.[0]) catch ., try keys catch ., try ({(.): 1}) catch .",
      "1.0",
      [
        '"Cannot index number with string (\\"a\\")"',
        '"Cannot index number with number (0)"',
        '"number (1.0) has no keys"',
        '"Cannot use number (1.0) as object key"',
      ],
    ],
    ["[.[]?], [..]", "1.0", ["[]", "[1.0]"]],
    ["try (. + {}) catch .", big, [`"number (${big}) and object ({}) cannot be added"`]],
  ])("%s of %s", (program, input, outputs) => {
    expect(run(program, input)).toEqual(outputs);
  });

  test("what differs beyond a double is told from plain numbers, also from those that were computed, unlike in jq", () => {
    const literal = "1.00000000000000001";
    expect(run(`[${literal} == 1, ${literal} > 1]`)).toEqual(["[false,true]"]);
    // jq: true, false, as a result has no text. A plain number doesn't tell which it is.
    expect(run(`[${literal} == 0 + 1, ${literal} > 0 + 1]`)).toEqual(["[false,true]"]);
    // Results with more digits than a double has for certain are known for what they are.
    expect(run("[0.300000000000000041 == 0.1 + 0.2]")).toEqual(["[true]"]);
  });

  test("are doubles without the option", () => {
    expect(evaluate("1.0, 100000000000000000001", null)).toEqual([1, 1e20]);
    expect(evaluate('"100000000000000000001" | tonumber, fromjson', null)).toEqual([1e20, 1e20]);
    expect(evaluate("have_decnum", null)).toEqual([false]);
  });

  test("give a plain number to those who don't know them", () => {
    const [value] = evaluate(".", parseExact("[1.0, 100000000000000000001]"), { exact: true });
    expect(JSON.stringify(value)).toBe("[1,100000000000000000000]");
    expect(parseExact("1.0")).toBeInstanceOf(ExactNumber);
    expect(parseExact("1.5")).toBe(1.5);
  });

  test("every JSON text without blanks is written as it was read", () => {
    const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,4})?$/);
    fc.assert(
      fc.property(fc.array(digits), (numbers) => {
        const text = `[${numbers.join(",")}]`;
        expect(printExact(parseExact(text))).toBe(text);
      }),
    );
  });

  test("the order is that of the exact values", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.nat(3), (a, b, zeros) => {
        const [x, y] = [`${a}.${"0".repeat(zeros + 1)}`, `${b}.0`].map((text) => new ExactNumber(text)) as [
          ExactNumber,
          ExactNumber,
        ];
        expect(Math.sign(x.compareTo(y))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  test.each([
    ["[1,", "Unfinished JSON term at EOF at line 1, column 3"],
    ["nan", "Invalid numeric literal at EOF at line 1, column 3"],
    ["01", "Invalid numeric literal at EOF at line 1, column 2"],
    ['{"a" 1}', "Expected separator between values at line 1, column 7"],
    ["", "Expected JSON value"],
    ["[".repeat(10_001), "Exceeds depth limit for parsing at line 1, column 10001"],
  ])("a mistake in %s is a SyntaxError with its place", (text, message) => {
    expect(() => parseExact(text)).toThrow(SyntaxError);
    expect(() => parseExact(text)).toThrow(message);
  });

  test("escapes and odd names", () => {
    const text = '{"__proto__":"\\ud83d\\ude00","a\\"":"\\ud800","constructor":[]}';
    const value = parseExact(text) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__", 'a"', "constructor"]);
    expect(value['a"']).toBe("\ud800");
    expect(Object.values(value)[0]).toBe("\u{1f600}");
  });
});
