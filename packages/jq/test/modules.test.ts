import { describe, expect, test } from "vitest";
import {
  check,
  compile,
  infer,
  type JqError,
  type ModuleResolver,
  modulesOf,
  printType,
  renderMessage,
  types,
} from "../src/index.ts";

const modules = modulesOf(
  {
    text: 'def trim: ltrimstr(" ") | rtrimstr(" "); def twice(f): f, f; def count($n): length + $n;',
    shop: 'module {version: 2}; import "text" as text; import "rates" as $rates; def name: text::trim; def price: . * $rates.eur; def given: $given;',
    again: "def f: 1; def h: f; def f: 2; def g: f, h;",
    itself: 'include "itself"; def f: 1;',
    one: 'import "two" as two; def f: two::f;',
    two: 'import "one" as one; def f: 2;',
    fails: '\n  def f: error("no");',
    mistake: "def f:\n  nosuch;",
    main: "def f: 1; f",
    place: "def f:\n  $__loc__;",
    hides: "def length: 5; def own: length;",
  },
  { rates: { eur: 2 }, "": [] },
);

// As jq has it; natively that is tried with jq 1.6, and what files there are with the command's own tests.
test.each<[program: string, input: unknown, outputs: unknown[]]>([
  ['import "text" as t; t::trim', " a ", ["a"]],
  ['include "text"; [twice(trim)], count(2)', " a ", [["a", "a"], 5]],
  ['import "shop" as shop; shop::name, (3 | shop::price)', " a ", ["a", 6]],
  ['import "shop" as a; import "text" as a; a::name, a::trim', " a ", ["a", "a"]],
  ['import "rates" as $r; $r, $r::r, $r.eur', null, [{ eur: 2 }, { eur: 2 }, 2]],
  ['import "rates" as $r; . as $r | $r', 1, [1]],
  ['import "rates" as $a; import "rates" as $b; [$a, $b] | unique | length', 1, [1]],
  ['import "again" as a; a::f, a::g', null, [2, 2, 1]],
  ['include "again"; def f: 10; f, g', null, [10, 2, 1]],
  ['import "text" as t; def t::trim: 7; t::trim', " a ", [7]],
  ['import "shop" as s; reduce range(3) as $i (0; . + ($i | s::price))', null, [6]],
  ['import "text" as t; . as $x | 1 as $y | [range(2) as $z | $x | t::count($y)]', "abc", [[4, 4]]],
  ['import "shop" as s; s::given', null, ["here"]],
  ['include "hides"; [length, own], ([1] | map(length))', "ab", [[5, 5], [5]]],
  [
    'import "place" as p; p::f, $__loc__',
    null,
    [
      { file: "place", line: 2 },
      { file: "<top-level>", line: 1 },
    ],
  ],
  ["module {a: 1}; .", 1, [1]],
  [
    '"shop" | modulemeta',
    null,
    [
      {
        version: 2,
        deps: [
          { as: "text", is_data: false, relpath: "text" },
          { as: "rates", is_data: true, relpath: "rates" },
        ],
        defs: ["name/0", "price/0", "given/0"],
      },
    ],
  ],
  [
    "[.[] | try modulemeta catch .]",
    [1, "nosuch"],
    [["modulemeta input module name must be a string", "module not found: nosuch"]],
  ],
])("%s", (program, input, outputs) => {
  const { filter, diagnostics } = compile(program, { modules, variables: ["given"] });
  expect(diagnostics).toEqual([]);
  const bindings = { variables: { given: "here" } };
  expect(filter?.all(input as never, { bindings })).toEqual(outputs);
});

describe("what is wrong with a module is told at its path", () => {
  test.each([
    ['import "nosuch" as n; 1', 'There is no module "nosuch".'],
    ['import "text" as $data; 1', 'There is no module "text".'],
    [
      'include "itself"; 1',
      'The module "itself" has a mistake, line 1: The module "itself" imports itself, perhaps through others.',
    ],
    [
      'import "one" as o; 1',
      'The module "one" has a mistake, line 1: The module "two" has a mistake, line 1: The module "one" imports itself, perhaps through others.',
    ],
    [
      'include "mistake"; 1',
      'The module "mistake" has a mistake, line 2: There is no function nosuch. To read a member of the input, write .nosuch.',
    ],
    [
      'include "main"; 1',
      'The module "main" has a mistake, line 1: Unexpected “f”: expected def or the end of the module.',
    ],
    ['import "te\\(1)" as t; 1', "The path of a module must be a constant string."],
    [
      'import "text" as t {a: .b}; 1',
      'The metadata of a module must be a constant object, such as {search: "lib"}.',
    ],
    ['import "text" as t; t::nosuch', "There is no function t::nosuch."],
    ['import "text" as t; twice(.)', "There is no function twice with 1 argument."],
    ['import "shop" as s; $rates', "The variable $rates isn't defined here."],
  ])("%s", (program, message) => {
    expect(check(program, { modules, variables: ["given"] }).diagnostics.map(renderMessage)).toEqual([
      message,
    ]);
    expect(compile(program, { modules }).filter).toBeUndefined();
  });
});

test("without a resolver a directive is a finding", () => {
  expect(check('include "text"; trim').diagnostics.map(({ code }) => code)).toEqual(["module-directive"]);
});

test("a failure within a module says where", () => {
  const { filter } = compile('import "text" as t; import "fails" as f; 1, f::f', { modules });
  try {
    filter?.all(null);
    expect.unreachable();
  } catch (error) {
    const { module, span } = error as JqError;
    expect({ module, text: '\n  def f: error("no");'.slice(span!.start, span!.end) }).toEqual({
      module: "fails",
      text: 'error("no")',
    });
  }
});

test.each([
  ['import "shop" as s; s::price', types.number, "number"],
  ['import "rates" as $r; $r', types.number, "{eur: 2}"],
  ['include "text"; [twice(trim)]', types.string, "string[]"],
])("the type of %s", (program, input, type) => {
  const inferred = infer(program, input, { modules });
  expect(printType(inferred.type)).toBe(type);
  expect(inferred.diagnostics).toEqual([]);
});

test("what always fails in a module isn't told in the program", () => {
  const { diagnostics } = infer('import "text" as t; t::trim, .a', types.number, { modules });
  expect(diagnostics.map(({ code }) => code)).toEqual(["cannot-index"]);
});

describe("a resolver that makes up modules without end", () => {
  let asked = 0;
  const deeper: ModuleResolver = ({ path }) => {
    asked++;
    return { name: path, text: `import "${path}x" as a; def f: a::f;` };
  };
  const wider: ModuleResolver = ({ path }) => {
    asked++;
    const imports = Array.from({ length: 40 }, (_, at) => `import "${path}/${at}" as a${at};`);
    return { name: path, text: `${path.length < 90 ? imports.join("") : ""} def f: 1;` };
  };

  test.each([
    ["each deeper than the one before", deeper],
    ["forty in each", wider],
  ])("is asked a limited number of times: %s", (_what, modules) => {
    asked = 0;
    const { diagnostics } = check('import "a" as a; a::f', { modules });
    expect(asked).toBeLessThan(50_000);
    expect(renderMessage(diagnostics[0]!)).toMatch(/at most 1,000 modules/);
  });
});
