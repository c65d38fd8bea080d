import { describe, expect, test } from "vitest";
import {
  calls,
  cardinality,
  check,
  constant,
  demandedPaths,
  format,
  hostUses,
  infer,
  parse,
  printType,
  types,
} from "../src/index.ts";
import { isAssignable, isSubtype } from "../src/internal.ts";

const { array, nullType, number, object, record, string, union, unknown, literal } = types;
const issues = record({
  items: array(
    object([
      ["id", { type: number, optional: false }],
      ["name", { type: string, optional: false }],
      ["note", { type: string, optional: true }],
    ]),
  ),
  total: number,
  "next page": union(string, nullType),
});

describe("inference", () => {
  test.each([
    [".items[0].note", "string | null", "one"],
    [".missing", "null", "one"],
    ["[.items[] | {display: .name, value: .id}]", "{display: string, value: number}[]", "one"],
    [".items[] | .id", "number", "many"],
    [".items | map(select(.note)) | first", "{id: number, name: string, note: string} | null", "one"],
    ['.items[0].note // "x"', "string", "one"],
    ['{a: (.total + 1), b: "n \\(.total)"}', "{a: number, b: string}", "one"],
    ["if .total > 1 then 1 else null end", "1 | null", "one"],
    [
      ".items | group_by(.name) | map({key: .[0].name, value: length}) | from_entries",
      "{[string]: number}",
      "one",
    ],
    ["reduce .items[] as $i (0; . + $i.id)", "number", "one"],
    ["def f(x): x | tostring; f(.total)", "string", "one"],
    ["def f: f; f", "never", "none"],
    [".total |= tostring | .total", "string", "one"],
    ["try .total catch 1", "number", "one"],
    [".total?", "number", "one"],
    [".total.x?", "never", "none"],
    ["empty", "never", "none"],
    ["first(.items[])", "{id: number, name: string, note?: string}", "maybe"],
    ['[.items[].name] | join(",")', "string", "one"],
    ['1 as $x | [$x, "a"]', '[1, "a"]', "one"],
    ["select(.total > 1) | .total", "number", "maybe"],
    ['.items[0].name | capture("(?<a>x)")', "{a: string}", "maybe"],
    [".. | numbers", "number", "many"],
  ])("%s", (program, type, count) => {
    const result = infer(program, issues);
    expect([printType(result.type), result.cardinality]).toEqual([type, count]);
  });

  test("holes and variables have the types that the caller gives", () => {
    const holes = [{ start: 0, end: 4, type: number }];
    expect(infer("${a} + 1", unknown, { holes }).type).toBe(number);
    expect(infer("$v.x", unknown, { variables: new Map([["v", record({ x: string })]]) }).type).toBe(string);
  });

  test("converges where a value is computed in a cycle", () => {
    expect(printType(infer("reduce range(3) as $x ({n: 0}; .n += 1)").type)).toBe("{n: number}");
    expect(infer("reduce range(3) as $x ([]; [.])").type.kind).toBe("unknown");
  });
});

describe("types", () => {
  test("equal types are the same object", () => {
    expect(record({ a: number })).toBe(record({ a: number }));
    expect(union(string, nullType)).toBe(union(nullType, string));
    expect(union(literal(true), literal(false))).toBe(types.boolean);
    expect(union(literal("a"), string)).toBe(string);
  });

  test("unions and depth are bounded", () => {
    const many = union(...Array.from({ length: 20 }, (_, index) => literal(index)), nullType);
    expect(printType(many)).toBe("number | null");
    let deep = number;
    for (let level = 0; level < 20; level++) deep = array(deep);
    expect(deep.depth).toBe(types.DEPTH_LIMIT);
  });

  test("unknown fits everywhere, but is no subtype", () => {
    expect(isAssignable(unknown, string)).toBe(true);
    expect(isSubtype(unknown, string)).toBe(false);
    expect(isSubtype(record({ a: literal(1) }), object([["a", { type: number, optional: true }]]))).toBe(
      true,
    );
    expect(isSubtype(object([["a", { type: number, optional: true }]]), record({ a: number }))).toBe(false);
    expect(isSubtype(record({ a: number, b: string }), record({ a: number }))).toBe(false);
  });
});

describe("questions about a program", () => {
  const paths = (text: string) =>
    demandedPaths(parse(text).program).map(
      ({ segments, certain }) => segments.map(({ key }) => key).join(".") + (certain ? "" : "?"),
    );
  test.each([
    [".custom_data.form.value", ["custom_data.form.value"]],
    [".data | .workflow | .id", ["data", "data.workflow", "data.workflow.id"]],
    [".a as $x | $x.b + .c.d", ["a", "a.b", "c.d"]],
    ["{a, b: .c.d, e: .f[].g}", ["a", "c.d", "f"]],
    ["if .a then .b else .c end", ["a", "b?", "c?"]],
    [".items | map(.x) | .y", ["items"]],
    [".a // .b", ["a", "b?"]],
    ["select(.a.b) | .c", ["a.b", "c?"]],
    ["def select(f): .[]; select(.a) | .b", []],
    [". as [$x] ?// $x | $x.a", []],
  ])("%s reads %j", (text, expected) => {
    expect(paths(text)).toEqual(expected);
  });

  test.each([
    ["1", 1],
    ["-1.5", -1.5],
    ['"a"', "a"],
    ["[1, {a: null}, true]", [1, { a: null }, true]],
    ['{"__proto__": 1}', JSON.parse('{"__proto__": 1}')],
    ["1 + 1", undefined],
    ['"\\(1)"', undefined],
    [".", undefined],
  ])("the constant of %s", (text, value) => {
    expect(constant(parse(text).program)).toEqual(value);
  });

  test.each([
    [".items[]", "many"],
    ["1, 2", "many"],
    ["[.[]]", "one"],
    ["first(.[])", "maybe"],
    ["empty", "none"],
    ["def f: 1; f", "one"],
    ["label $x | 1", "maybe"],
    ["getpath([1])", "one"],
  ])("%s has %s output", (text, count) => {
    expect(cardinality(parse(text).program)).toBe(count);
  });

  test("calls name what they mean, and what has no place in a hosted config (D23)", () => {
    const { program } = check("def f: input; f | debug | $ENV | env.PATH | map(halt)");
    expect(
      calls(program).map(({ name, builtin, definition }) => [name, builtin !== undefined, definition?.kind]),
    ).toEqual([
      ["input", true, undefined],
      ["f", false, "Definition"],
      ["debug", true, undefined],
      ["env", true, undefined],
      ["map", true, undefined],
      ["halt", true, undefined],
    ]);
    expect(hostUses(program).map(({ name }) => name)).toEqual(["input", "debug", "$ENV", "env", "halt"]);
    expect(hostUses(check("def input: 1; input").program)).toEqual([]);
  });

  test("holes are printed back by the caller's text", () => {
    const text = '"a${x}" + .${y}';
    const { program } = parse(text, {
      holes: [
        { start: 2, end: 6 },
        { start: 11, end: 15 },
      ],
    });
    expect(format(program, { hole: (hole) => ["${x}", "${y}"][hole]! })).toBe(text);
  });
});
