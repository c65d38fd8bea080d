import fc from "fast-check";
import { type Json, type Type, types } from "../../src/index.ts";
import { programs } from "./generate.ts";

const { array, boolean, literal, nullType, number, object, string, union, unknown } = types;

/** Types of small values whose members are those that the programs below read. */
export const inputTypes: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom(
      ...[nullType, boolean, number, string, literal("a"), literal("b"), literal(1), literal(false)],
      unknown,
    ),
    tie("type").map(array),
    fc
      .tuple(
        fc.dictionary(fc.constantFrom("a", "b", "c"), fc.tuple(tie("type"), fc.boolean()), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
        fc.option(tie("type"), { nil: undefined, freq: 3 }),
      )
      .map(([members, rest]) =>
        object(
          Object.entries(members).map(([name, [type, optional]]) => [name, { type, optional }] as const),
          rest,
        ),
      ),
    fc.tuple(tie("type"), tie("type")).map(([a, b]) => union(a, b)),
  ),
})).type;

/** Values of a type. */
export function valuesOf(type: Type): fc.Arbitrary<Json> {
  switch (type.kind) {
    case "unknown":
      return fc.constantFrom<Json>(null, true, 1, "a", [1], { a: 1 }, [{ a: "b" }]);
    case "never":
      throw new Error("nothing is of this type");
    case "null":
      return fc.constant(null);
    case "boolean":
      return type.value === undefined ? fc.boolean() : fc.constant(type.value);
    case "number":
      return type.value === undefined ? fc.constantFrom(0, 1, -1, 2.5, 3) : fc.constant(type.value);
    case "string":
      return type.value === undefined ? fc.constantFrom("", "a", "b", "1", "x,y") : fc.constant(type.value);
    case "array":
      return type.items.kind === "never" ? fc.constant([]) : fc.array(valuesOf(type.items), { maxLength: 3 });
    case "object": {
      const members = [...type.members]
        .filter(([, member]) => member.type.kind !== "never")
        .map(([name, member]) =>
          (member.optional
            ? fc.option(valuesOf(member.type), { nil: undefined })
            : valuesOf(member.type)
          ).map((value) => [name, value] as const),
        );
      const others =
        type.rest === undefined
          ? fc.constant({})
          : fc.dictionary(fc.constantFrom("a", "b", "c", "d"), valuesOf(type.rest), {
              maxKeys: 2,
              noNullPrototype: true,
            });
      return fc.tuple(fc.tuple(...members), others).map(([own, more]) => {
        const further = Object.entries(more).filter(([name]) => !type.members.has(name));
        return Object.fromEntries([...own.filter(([, value]) => value !== undefined), ...further]) as Json;
      });
    }
    case "union":
      return fc.oneof(...type.members.map(valuesOf));
  }
}

const places = fc.constantFrom(".", ".a", ".b", ".a.b", ".c", ".a.a", "$v", "$v.a", "$v.b");
const paths = fc.constantFrom(
  ...[".", ".a", ".b", ".a.b", ".[]", ".a[]", ".[0]", ".[-1]", ".[0].a", ".a?", ".[]?", ".[].b"],
  ...["(.a, .b)", ".[1:]", "..", '.["a"]', ".[$k]", ".[(0, 1)]", "(.a // .b)", "(.[] // .c)"],
  ...["first(.[])", 'getpath(["a"])', "(. as $q | .a)", "(.a | .b)", "empty"],
  ...[".a[empty]", ".b[.a[]?]", ".a.b[.[]?:]", ".a[.b?]"],
);
/** Paths of a part of the input. */
const innerPaths = paths.filter((path) => path !== "." && path !== "..");
const scalars = fc.constantFrom(
  "null",
  "true",
  "false",
  "0",
  "1",
  '"a"',
  '"b"',
  "[]",
  "{}",
  '["a", 1]',
  "{a: 1, b: null}",
);
const units = fc.constantFrom("null", "true", "false", "1", '"a"', '"b"');
const kinds = fc.constantFrom("null", "boolean", "number", "string", "array", "object");

/** Conditions that tell something about what they test. */
const conditions: fc.Arbitrary<string> = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    places,
    fc.tuple(places, fc.constantFrom("==", "!="), units).map(([a, op, b]) => `${a} ${op} ${b}`),
    fc.tuple(units, fc.constantFrom("==", "!="), places).map(([a, op, b]) => `${a} ${op} ${b}`),
    fc.tuple(places, kinds).map(([a, kind]) => `(${a} | type) == "${kind}"`),
    fc
      .tuple(places, fc.constantFrom("<", "<=", ">", ">="), fc.oneof(units, places))
      .map(([a, op, b]) => `${a} ${op} ${b}`),
    kinds.map((kind) => `type != "${kind}"`),
    fc.tuple(places, fc.constantFrom("a", "b", "z")).map(([a, name]) => `(${a} | has("${name}"))`),
    fc.constantFrom(
      "length > 0",
      "(1 <= length)",
      "(.a | length) != 0",
      'has("a")',
      '(.a | IN("a", "b", null))',
      '(.a | startswith("a"))',
      "(.[] == 1)",
      "(.a, .b)",
      "(.a | length > 0)",
    ),
    fc.tuple(places, tie("condition")).map(([a, b]) => `(${a} | ${b})`),
    fc
      .tuple(tie("condition"), fc.constantFrom("and", "or"), tie("condition"))
      .map(([a, op, b]) => `(${a}) ${op} (${b})`),
    tie("condition").map((a) => `(${a} | not)`),
  ),
})).condition;

const simple = fc.constantFrom(
  ...[
    "length",
    "keys",
    "not",
    "type",
    "tostring",
    "tojson",
    "tonumber",
    "add",
    "sort",
    "unique",
    "reverse",
    "first",
  ],
  ...[
    "last",
    "min",
    "flatten",
    "to_entries",
    "from_entries",
    "values",
    "scalars",
    "strings",
    "objects",
    "iterables",
  ],
  ...[
    "ascii_downcase",
    "explode",
    "floor",
    "transpose",
    "toarray",
    "tostream",
    "paths",
    "any",
    "all",
    "error",
    "abs",
  ],
  ...[
    "utf8bytelength",
    "trim",
    "recurse",
    "@csv",
    "@sh",
    "@text",
    "combinations",
    "todate",
    "fromjson",
    "implode",
  ],
  ...[
    'split(",")',
    'join("-")',
    'ltrimstr("a")',
    'test("a")',
    '[match("a"; "g")]',
    'sub("a"; "b")',
    'has("a")',
  ],
  ...[
    'contains("a")',
    'index("a")',
    "nth(0)",
    "range(3)",
    "range(.)",
    "indices(1)",
    "in({a: 1})",
    "inside({a: 1})",
  ],
  ...[
    "getpath([0])",
    'setpath(["a", "b"]; 1)',
    'delpaths([["a"]])',
    "pick(.a)",
    "pick(.a?)",
    "pick(.a.b?, .b)",
    'strptime("%Y")',
    'strptime("a")',
    "del(.a)",
    "del(.a, .b)",
    "del(.[0])",
  ],
  ...[
    "del(.)",
    "del(.[])",
    "del(.a.b)",
    "del(.[] | select(. == 1))",
    "ascii",
    "bsearch(1)",
    "min_by(.a)",
    "group_by(.a)",
    "group_by(.a) | map(.[0])",
    "[.a, .b] | .[0], .[1], .[-1], .[-2], .[2], .[0.5], .[-3]",
    "[.a, .[]?, .b] | .[0], .[1], .[-1]",
    "[.[]?, .a] | first, last, min, add, sort[0], reverse[0]",
    "[[.a, .b]] | .[0][1] = null",
    "[.a, .b] | .[0] |= empty",
    "[.a, .b] | map_values(select(.)), del(.[0]), .[1:], . - [.[0]], . + [1], unique",
    "([.a, .b] | [limit(1; .[])]), ([.a] | map(.)[0])",
    "if length > 0 then .[0] else 1 end",
    '(tostring | capture("(?<a>.)(?<b>[0-9])?"))',
    '(tostring | capture("(?<a>a)|(?<b>.)"; "g"))',
    '(tostring | scan("(.)(a)?"), scan("."), scan("(?:(a)|b)+"))',
    '(tostring | [sub("(?<a>.)(?<b>a)?"; .a, .b // "x"; "g")])',
    ". * .",
    "{a: .a, b: {c: 1}} * .",
    ". * {a: {b: 2}, c: .}",
    'walk(if type == "number" then tostring else . end)',
    'walk(if type == "object" then keys else . end)',
    'walk(select(type != "number"))',
    "walk(., 1)",
    "walk(.a? // .)",
    "with_entries(.value |= tostring)",
    "with_entries(select(.value != null))",
    'with_entries(.key |= "x" + .)',
    'with_entries(.key = "a")',
    "with_entries(., {key: .key, value: 1})",
    '[{key: "a", value: .}, {key: "b", value: .a?}] | from_entries',
    '{(if .a? then "a" else "b" end): .}',
    '(if .a? then "a" else "b" end) as $k | {a: 1} | .[$k] = 2, .[$k] += 1, .[$k], del(.[$k])',
    "[recurse(.a?; . != null)]",
    "[recurse(.[]?)]",
    "(.a / 0)?",
    'del(.a, .b)?, has("z")?',
  ],
  ...[
    '"\\(.a)-\\(.b)"',
    '@json "x\\(.)"',
    "-.",
    "-(.a)",
    "{a}",
    "{a, b: 1}",
    "{(.a): .b}",
    "{$v}",
    "[.[] | .a]",
    'splits(",")',
  ],
);

/**
 * Programs of what inference knows something about: conditions, loops, definitions, paths and their
 * updates, entries. `$v` is the input of the whole, `$k` is `"a"`.
 */
const typedPrograms: fc.Arbitrary<string> = fc
  .letrec<{ term: string; query: string }>((tie) => ({
    term: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      { arbitrary: paths, weight: 3 },
      scalars,
      { arbitrary: simple, weight: 3 },
      tie("query").map((a) => `(${a})`),
      tie("query").map((a) => `[${a}]`),
      fc.tuple(conditions, tie("query"), tie("query")).map(([a, b, c]) => `if ${a} then ${b} else ${c} end`),
      fc
        .tuple(conditions, tie("query"), conditions, tie("query"))
        .map(([a, b, c, d]) => `if ${a} then ${b} elif ${c} then ${d} end`),
      conditions.map((a) => `select(${a})`),
      fc.tuple(tie("query"), tie("query")).map(([a, b]) => `{a: (${a}), b: (${b})}`),
      fc
        .tuple(tie("query"), tie("query"))
        .map(([a, b]) => `(try (${a}) catch ${b.startsWith("-") ? "." : `(${b})`})`),
      tie("query").map((a) => `(${a})?`),
      fc
        .tuple(tie("query"), tie("query"), tie("query"))
        .map(([a, b, c]) => `reduce (${a}) as $x (${b}; ${c})`),
      fc
        .tuple(tie("query"), tie("query"), tie("query"))
        .map(([a, b, c]) => `foreach (${a}) as $x (${b}; ${c}; [$x, .])`),
      fc.tuple(tie("query"), tie("query")).map(([a, b]) => `((${a}) as $v | ${b})`),
      fc.tuple(tie("query"), tie("query")).map(([a, b]) => `((${a}) as [$v, {a: $w, $b}] | [$w, $b] | ${b})`),
      fc.tuple(tie("query"), tie("query")).map(([a, b]) => `((${a}) as [$v] ?// {a: $v} | ${b})`),
      tie("query").map(
        (a) =>
          `(def r: if type == "array" then map(r) elif type == "object" then map_values(r) else ${a} end; r)`,
      ),
      fc
        .tuple(tie("query"), tie("query"))
        .map(([a, b]) => `(def f(g): if type == "array" then .[] | f(g) else g | ${a} end; f(${b}))`),
      fc
        .tuple(tie("query"), tie("query"))
        .map(([a, b]) => `(def f($n): if $n > 2 then ${a} else (${b}) | f($n + 1) end; f(0))`),
      fc.tuple(conditions, tie("query")).map(([a, b]) => `[limit(3; while(${a}; ${b}))]`),
      fc.tuple(conditions, tie("query")).map(([a, b]) => `until(${a}; ${b})`),
      tie("query").map((a) => `[limit(3; repeat(${a}))]`),
      tie("query").map((a) => `(label $out | (${a}) | ., break $out)`),
      ...[
        "map",
        "map_values",
        "with_entries",
        "select",
        "sort_by",
        "first",
        "add",
        "walk",
        "isempty",
        "path",
        "error",
        "recurse",
      ].map((name) =>
        tie("query").map((a) => (name === "recurse" ? `[limit(4; recurse(${a}))]` : `${name}(${a})`)),
      ),
      tie("query").map((a) => `with_entries(.value |= (${a} | values))`),
      tie("query").map((a) => `INDEX(${a})`),
      fc.tuple(tie("query"), tie("query")).map(([a, b]) => `any((${a}); ${b})`),
    ),
    query: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      { arbitrary: tie("term"), weight: 2 },
      fc.tuple(tie("term"), tie("query")).map(([a, b]) => `${a} | ${b}`),
      fc
        .tuple(tie("term"), fc.constantFrom("+", "-", "*", "/", "%", "//", "==", "<", "and"), tie("term"))
        .map(([a, op, b]) => `(${a}) ${op} (${b})`),
      fc.tuple(tie("term"), tie("term")).map(([a, b]) => `${a}, ${b}`),
      fc
        .tuple(paths, fc.constantFrom("=", "|=", "+=", "-=", "//="), tie("term"))
        .map(([a, op, b]) => `${a} ${op} (${b}${op === "|=" ? " | values" : ""})`),
      fc.tuple(paths, conditions, tie("term")).map(([a, b, c]) => `(${a} | select(${b})) |= (${c} | values)`),
      fc
        .tuple(conditions, innerPaths, innerPaths, tie("term"))
        .map(([a, b, c, d]) => `(if ${a} then ${b} else ${c} end) |= (${d} | values)`),
      fc.tuple(paths, conditions).map(([a, b]) => `del(${a} | select(${b}))`),
    ),
  }))
  .query.map((text) => `. as $v | "a" as $k | ${text}`);

/** A program, the type of its input, and some inputs of that type. */
export const typedRuns: fc.Arbitrary<{ program: string; type: Type; inputs: readonly Json[] }> = fc
  .tuple(fc.oneof({ arbitrary: typedPrograms, weight: 4 }, programs), inputTypes)
  .chain(([program, type]) =>
    fc.array(valuesOf(type), { minLength: 1, maxLength: 5 }).map((inputs) => ({ program, type, inputs })),
  );
