import { describe, expect, test } from "vitest";
import { compile, evaluate, HaltError, type InputOutput, JqError, type Json } from "../../src/index.ts";

const withIo = (program: string, io: InputOutput, input: Json = null) => evaluate(program, input, { io });

function failure(run: () => unknown): JqError {
  try {
    run();
  } catch (error) {
    if (error instanceof JqError) return error;
  }
  throw new Error("It didn't fail");
}

describe("without the option io", () => {
  test.each([
    "input",
    "inputs",
    "debug",
    'debug("x")',
    "stderr",
    "env",
    "$ENV",
    "$ENV.PATH",
    "input_filename",
    "halt",
    "halt_error",
    "halt_error(1)",
    "get_search_list",
  ])("%s fails, and says what is missing", (program) => {
    const error = failure(() => evaluate(`try (${program}) catch "caught"`, null));
    expect(error.kind).toBe("option");
    expect(error.message).toContain("option io");
  });

  test("what isn't reached doesn't matter", () => {
    expect(evaluate("if true then 1 else input end", null)).toEqual([1]);
  });
});

describe("with the option io", () => {
  test("input and inputs read one after the other, across the whole program", () => {
    expect(withIo("[., input, first(inputs), [inputs]]", { inputs: [1, 2, 3, 4] }, 0)).toEqual([
      [0, 1, 2, [3, 4]],
    ]);
    expect(withIo("[inputs], try input catch .", { inputs: [1] })).toEqual([[1], "break"]);
    // jq's library says so where it has nothing to read from.
    expect(withIo("try input catch .", {})).toEqual(["break"]);
  });

  test("each run reads its own inputs", () => {
    const { filter } = compile("input");
    expect([
      filter!.first(null, { io: { inputs: [1] } }),
      filter!.first(null, { io: { inputs: [2] } }),
    ]).toEqual([1, 2]);
  });

  test("inputs are read no further than needed", () => {
    let read = 0;
    function* numbers() {
      for (;;) yield ++read;
    }
    expect(withIo("[limit(3; inputs)]", { inputs: numbers() })).toEqual([[1, 2, 3]]);
    expect(read).toBe(3);
  });

  test("debug and stderr pass their input on and report it", () => {
    const seen: unknown[] = [];
    const io = { debug: (value: Json) => seen.push(value), stderr: (text: string) => seen.push(text) };
    expect(withIo('debug | debug("a", .b) | stderr | (.b | stderr)', io, { b: "c" })).toEqual(["c"]);
    expect(seen).toEqual([{ b: "c" }, "a", "c", '{"b":"c"}', "c"]);
    expect(withIo("(.b | debug(1) | debug | stderr) = 2", io, { b: 1 })).toEqual([{ b: 2 }]);
  });

  test("env and $ENV are what was given", () => {
    const env = { A: "1", __proto__x: "2", constructor: "3" };
    expect(withIo("env, $ENV.A, env.B, $ENV.toString", { env })).toEqual([env, "1", null, null]);
    expect(withIo("{a: 1} as {a: $ENV} | $ENV", { env })).toEqual([1]);
    expect(withIo("env", {})).toEqual([{}]);
  });

  test("input_filename", () => {
    expect(withIo("input_filename", { filename: "a.json" })).toEqual(["a.json"]);
    expect(withIo("input_filename, input_line_number", {})).toEqual([null, 0]);
  });

  test.each<[string, Json, number, string]>([
    ["1, halt, 2", null, 0, ""],
    ["1, halt_error, 2", "bye", 5, "bye"],
    ["1, (try halt_error(3) catch 4)", { a: 1 }, 3, '{"a":1}\n'],
  ])("%s ends the run", (program, input, exitStatus, output) => {
    const error = failure(() => withIo(program, {}, input));
    expect(error).toBeInstanceOf(HaltError);
    expect(error).toMatchObject({ kind: "halt", exitStatus, output, outputsSoFar: [1] });
  });

  test("halt_error wants a number", () => {
    expect(withIo('try halt_error("a") catch .', {}, "x")).toEqual([
      'string ("x") halt_error/1: number required',
    ]);
  });
});
