import { describe, expect, test } from "vitest";
import {
  type CustomCall,
  type CustomFunctions,
  check,
  compile,
  evaluate,
  infer,
  JqError,
  type Json,
  modulesOf,
  printType,
  renderMessage,
  types,
} from "../../src/index.ts";

const functions: CustomFunctions = {
  "slug/0": { type: types.string, run: (input) => String(input).toLowerCase().replace(/\W+/g, "-") },
  "rates::in/1": {
    type: types.number,
    run: (input, [currency]) => (input as number) * (currency === "usd" ? 2 : 1),
  },
  "pages/1": {
    type: types.number,
    *outputs(_input, [count]) {
      for (let page = 1; page <= (count as number); page++) yield page;
    },
  },
  "both/2": { run: (_input, [a, b]) => [a!, b!] },
  "fails/0": {
    run: () => {
      throw new Error("no answer");
    },
  },
  "fails/1": {
    run: (_input, [value]) => {
      throw new JqError("error", "with a value", value!, undefined);
    },
  },
};
const run = (text: string, input: Json = null, options = {}) =>
  evaluate(text, input, { functions, ...options });

describe("custom functions", () => {
  test.each<[string, Json, Json[]]>([
    [".name | slug", { name: "Two Words" }, ["two-words"]],
    ['map(slug) | join("+")', ["A", "B c"], ["a+b-c"]],
    ['rates::in("usd", "eur")', 3, [6, 3]],
    ["[pages(3)], first(pages(1000000)), [limit(2; pages(9))]", null, [[1, 2, 3], 1, [1, 2]]],
    ["[pages(1, 2)]", null, [[1, 1, 2]]],
    [
      "[both(1, 2; 3, 4)]",
      null,
      [
        [
          [1, 3],
          [2, 3],
          [1, 4],
          [2, 4],
        ],
      ],
    ],
    ['def slug: "mine"; slug', null, ["mine"]],
    ["try fails catch .", null, ["no answer"]],
    ["(fails? // 1), (try fails({a: 1}) catch .a)", null, [1, 1]],
    ['def f(g): g | slug; f("X Y")', null, ["x-y"]],
    [".a |= slug", { a: "B B" }, [{ a: "b-b" }]],
  ])("%s", (text, input, outputs) => {
    expect(run(text, input)).toEqual(outputs);
  });

  test("evaluate in the order of jq's own", () => {
    expect(run("[both(1, 2; 3, 4)]")).toEqual(evaluate("[ (3, 4) as $b | (1, 2) as $a | [$a, $b]]", null));
  });

  test("are seen in modules", () => {
    const modules = modulesOf({ m: "def tidy: slug;" });
    expect(run('import "m" as m; "A B" | m::tidy', null, { modules })).toEqual(["a-b"]);
  });

  test("that fail give the place of the call", () => {
    try {
      run("1 | fails");
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(JqError);
      const { kind, message, span } = error as JqError;
      expect({ kind, message, span }).toEqual({
        kind: "error",
        message: "no answer",
        span: { start: 4, end: 9 },
      });
    }
  });

  test("aren't known where they aren't given, and have a number of arguments", () => {
    const messages = (text: string) => check(text, { functions }).diagnostics.map(renderMessage);
    expect(check("slug").diagnostics.map(({ code }) => code)).toEqual(["unknown-function"]);
    expect(messages("slugg")[0]).toMatch(/slug/);
    expect(check("slug(1)", { functions }).diagnostics.map(({ code }) => code)).toEqual(["wrong-arity"]);
  });

  test.each([
    ["slug | length", "number", "one"],
    ["pages(2)", "number", "many"],
    ['slug, rates::in("usd")', "number | string", "many"],
    ["both(1; 2)", "unknown", "one"],
  ])("have types: %s", (text, type, cardinality) => {
    const inferred = infer(text, types.string, { functions });
    expect([printType(inferred.type), inferred.cardinality]).toEqual([type, cardinality]);
    expect(inferred.diagnostics).toEqual([]);
  });

  test("what always fails with their outputs is found", () => {
    expect(infer("slug | .name", types.unknown, { functions }).diagnostics.map(({ code }) => code)).toEqual([
      "cannot-index",
    ]);
  });

  test.each(["slug", "slug/x", "length/0", "map/1", "if/0", "a b/0", "$x/0", "1a/0"])(
    "%s is no name",
    (name) => {
      expect(() => compile("1", { functions: { [name]: { run: () => null } } })).toThrow(TypeError);
    },
  );

  test("one that does nothing is refused", () => {
    // As JavaScript may give it.
    const functions = { "slug/0": {} } as unknown as CustomFunctions;
    expect(() => compile("1", { functions })).toThrow(new TypeError("slug/0 needs run or outputs"));
  });
});

describe("a budget", () => {
  const ends = (own: CustomFunctions, text: string, budget = {}): string => {
    try {
      evaluate(text, null, { functions: own, budget });
      return "ran";
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
      return error.kind;
    }
  };

  test.each<[string, CustomFunctions, string]>([
    ["counts calls", { "f/0": { run: () => 1 } }, "[range(1000000) | f] | length"],
    ["counts outputs", { "f/0": { outputs: () => endless() } }, "[f]"],
    ["counts what a function counts", { "f/0": { run: working } }, "f"],
    ["isn't caught", { "f/0": { outputs: () => endless() } }, "try (f | empty) catch 1"],
  ])("%s", (_what, own, text) => {
    expect(ends(own, text, { steps: 1_000_000 })).toBe("budget");
  });

  test("counts what a function gives, also a value that contains itself", () => {
    const circle: Json[] = [];
    circle.push(circle);
    expect(ends({ "f/0": { run: () => circle } }, "f | 1")).toBe("budget");
    const large = () => Array.from({ length: 100_000 }, (_, at) => ({ at }));
    expect(ends({ "f/0": { run: large } }, "f | 1", { memory: 1_000_000 })).toBe("budget");
  });

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["a date", new Date(0)],
    ["a function in a list", [() => 1]],
    ["a member that is undefined", { a: undefined }],
    ["a bigint", 1n],
  ])("what isn't JSON ends the run: %s", (_what, value) => {
    expect(ends({ "f/0": { run: () => value as Json } }, "try f catch 1")).toBe("option");
  });

  test("an iterator that isn't needed any more is told", () => {
    let isClosed = false;
    const own: CustomFunctions = {
      "f/0": {
        *outputs() {
          try {
            yield* endless();
          } finally {
            isClosed = true;
          }
        },
      },
    };
    expect(evaluate("first(f)", null, { functions: own })).toEqual([1]);
    expect(isClosed).toBe(true);
  });
});

function working(_input: Json, _args: readonly Json[], call: CustomCall): Json {
  call.spend(2_000_000);
  return 1;
}

function* endless(): Generator<Json> {
  for (;;) yield 1;
}
