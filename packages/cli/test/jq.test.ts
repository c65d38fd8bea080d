import { once } from "node:events";
import fs from "node:fs";
import { join } from "node:path";
import { type Jq, loadJq } from "jq-wasm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { parseArguments } from "../src/command-line/arguments.ts";
import { run } from "../src/verbs/jq.ts";
import { verbs } from "../src/verbs/table.ts";
import { configc, folderWith, startConfigc } from "./support/cli.ts";
import { configcHere } from "./support/in-process.ts";

let jq: Jq;
beforeAll(async () => {
  jq = await loadJq();
});

const shape = '{"b":[1,{"z":null,"a":"é😀"},[],{}],"a":{"c":"x\\n"}}';

/** jq's answer; the reference trims the last line end and calls its input /dev/stdin. */
function reference(args: readonly string[], input: string) {
  const [program = "", ...given] = args;
  // The reference asks for no colours by itself, unless that was done already.
  const flags = Object.assign(given, { includes: () => given.some((flag) => flag === "-C") });
  const { stdout, stderr, exitCode } = jq.raw(input, program, flags);
  return {
    stdout: stdout.trimEnd(),
    stderr: stderr.replaceAll("/dev/stdin:", "<stdin>:").trimEnd(),
    exitCode,
  };
}

/** Ours, without a process of its own: there are many cases. */
async function ours(args: readonly string[], input: string) {
  const file = join(folderWith({ input }), "input");
  const out = { stdout: "", stderr: "" };
  const spies = [
    vi.spyOn(fs, "writeSync").mockImplementation((_descriptor, bytes) => {
      out.stdout += String(bytes);
      return bytes.length;
    }),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      out.stderr += String(text);
      return true;
    }),
  ];
  try {
    const options = verbs.find(({ name }) => name === "jq")!.options ?? [];
    const exitCode = await run(parseArguments([...args, file], options, "jq"));
    const stderr = out.stderr
      .replaceAll(`(at ${file}:`, "(at <stdin>:")
      .replace("(at <unknown>)", "(at <stdin>:0)");
    return { stdout: out.stdout.trimEnd(), stderr: stderr.trimEnd(), exitCode };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe("what jq prints", () => {
  test.each<[args: string[], input: string]>([
    [["."], shape],
    [[".", "-c"], `${shape} [] ${shape}`],
    [[".", "-S"], shape],
    [[".", "-S", "-c"], '{"\u{1f600}":1,"\uffff":2,"b":3,"a":4}'],
    [[".", "--tab"], shape],
    [[".", "--indent", "1"], shape],
    [[".", "--indent", "0"], shape],
    [[".", "-a"], shape],
    [[".", "-b"], shape],
    ...["-c", "-S", "--tab", "--indent=0", "-a", "-r", "--stream"].map((flag): [string[], string] => [
      [".", "-C", ...(flag === "--indent=0" ? ["--indent", "0"] : [flag])],
      `${shape} [] {} 1.50 "a" null false true [[]] [{}] [[1,2]]`,
    ]),
    [[".", "-C", "-M"], shape],
    [[".", "-C", "--seq"], "\x1e[1]"],
    [['"a", ["b"]', "-C", "--raw-output0"], "1"],
    [["., error", "-C", "-c"], '["a"]'],
    [["debug", "-C", "-c"], '["a", null]'],
    [["..", "-r"], shape],
    [[".a.c, .b[1].a", "-r", "-a"], shape],
    [["..", "-j"], '["a","b\\n",1]'],
    [[".", "-c", "-s"], "1 [2]\n{}"],
    [["input_line_number"], "1\n2\n3"],
    [["input_line_number"], "[1,\n2]\n\n{}[]\n"],
    [["input_line_number"], "1 2\n3 4\n"],
    [["input_line_number"], "null\n\n\n\n1\n"],
    [["input_line_number", "-s"], "1\n2\n3\n"],
    [["input_line_number", "-R"], "a\n\nb"],
    [["input_line_number", "-R", "-s"], "a\n\nb"],
    [["[., input_line_number]", "-c", "--stream"], "[1,\n2]\n{}\n"],
    [["[input_line_number, input, input_line_number]", "-n", "-c"], "1\n2\n3\n"],
    [["[inputs] | input_line_number", "-n", "-c"], "1\n\n\n"],
    [[". + 1"], '1\n"a"\n{}\n'],
    [[".a"], '{"a":1\n}\n5\n'],
    [["input | .a", "-n"], "\n5\n"],
    [[".", "-c"], "1 2,3"],
    [[".", "-c"], "[1] null]"],
    [[".", "-c"], '"a" nan:1'],
    [["$a, $ARGS.named", "-c", "--arg", "a", "1", "--argjson", "a", "2", "--arg", "b", "3"], "null"],
    [["., input", "-c"], "1 2 3"],
    [["null | halt_error"], "1"],
    [[".", "-R"], 'a\n"b\n\nc'],
    [[".", "-R", "-s"], "a\nb\n"],
    [["[., input]", "-c"], "1 2 3 4"],
    [["[inputs]", "-n", "-c"], "1 2 3"],
    [["first(inputs)", "-n"], "1 2 3"],
    [["$x, $y", "-c", "--arg", "x", "1", "--argjson", "y", "[1.0]"], "null"],
    [["$ARGS.named", "-c", "--arg", "x", "1"], "null"],
    // Numbers keep their digits, as jq writes them.
    [[".", "-c"], "[1.000, 1e5, 1E+400, 100000000000000000001, -0, 0.0, 1e-7, 007, 1.50]"],
    [["., . + 0, -., [., 1.10]", "-c"], "100000000000000000001 1.0"],
    [[". == 100000000000000000000, tojson, tostring"], "100000000000000000001"],
    [[".", "-c"], '{"__proto__": 1, "constructor": [nan]}'],
    // Statuses and messages.
    [[".", "-e"], "1 null"],
    [[".", "-e"], "null 1"],
    [["empty", "-e"], "1"],
    [["1, . - 1"], '"a"'],
    [["error({a: 1.0})"], "1"],
    [['error("x\\ny")'], "1"],
    [["error(null)"], "1"],
    [['"bye\\n" | halt_error(3)'], "1"],
    [["{} | halt_error"], "1"],
    [["1, halt, 2"], "1"],
    [["debug, stderr", "-c"], '["a"]'],
    [["input_filename | type"], "1"],
    // The status is that of the last run; with -e the last output counts.
    [['if . == 1 then error("x") else . end'], "1 2"],
    [['if . == 2 then error("x") else . end', "-e"], "1 2"],
    [['if . == 1 then error("x") else empty end', "-e"], "1 2"],
    [["if . == 1 then null else empty end", "-e"], "1 2"],
    [[".", "-e"], ""],
    // Input that isn't JSON.
    [[".", "-c"], "1 2 x"],
    [[".", "-c"], "1\n[2,\n"],
    [[".", "-c"], '{"a" 1}'],
    [[".", "-c"], '1\n2\n"\n'],
    [[".", "-c", "-s"], "1 2 ["],
    [[".", "-e"], "1 x"],
    [["[inputs]", "-n"], "1 ["],
    [["try input catch .", "-c"], "1 x 2"],
    // Raw input.
    [[".", "-R", "-s"], ""],
    [["[inputs]", "-R", "-n", "-c"], "a\nb\n"],
    [["input", "-R", "-n", "-s"], "a\nb\n"],
    // Raw output.
    [[".", "--raw-output0"], '"a" [1] "c"'],
    [[".", "--raw-output0"], '"a\\u0000b" "c"'],
    [[".", "--raw-output0"], '"c" "a\\u0000b"'],
    [[".", "--raw-output0", "-j", "-a"], '"é"'],
    // Events.
    [[".", "-c", "--stream"], '{"a":[1,{"b":2.0}]} 3 [] '],
    [[".", "-c", "--stream"], '[[],{}] nan {"a":1,"a":2} ""'],
    [[".", "-c", "--stream"], "[1,[2,3]"],
    [["try . catch .", "-c", "--stream"], "[1,2"],
    [[".", "-c", "--stream", "-s"], "[1,[2,3]] 4"],
    [["[., input]", "-c", "--stream", "-s", "-n"], '{"a":{"b":1}}'],
    [["fromstream(inputs)", "-c", "--stream", "-n"], "[1,[2,3]] 4"],
    [["fromstream(1 | truncate_stream(inputs))", "-c", "--stream", "-n"], "[1,[2,3]] 4"],
    [[".", "-R", "--stream"], "a\nb"],
    [[".", "-c", "--stream-errors"], "[1,[2,3]] 4 [x"],
    [[".", "-c", "--stream-errors"], '{"a":[1,{"b":'],
    [[".", "-c", "--stream-errors"], '{"a":[1,{"b":2},x'],
    [[".", "-c", "--stream-errors"], '{"a"'],
    [[".", "-c", "-s", "--stream-errors"], "[1] ["],
    // Records.
    [[".", "-c", "--seq"], '\x1e1 2\n\x1e\x1e"a"'],
    [[".", "-c", "--seq"], "x\x1e[2]"],
    [[".", "-c", "--seq", "--stream"], "\x1e[1,2]\n"],
    [[".", "-c", "--seq", "-R"], "a\nb\n"],
    [[".", "-c", "--seq", "-n"], ""],
    [[".", "-c", "--seq"], '{"a":"é"}'],
    [[".", "-c", "--seq"], "1\n2\n"],
  ])("%j of %s", async (args, input) => {
    expect(await ours(args, input)).toEqual(reference(args, input));
  });
});

test.each([
  ["a record that is cut off", "\x1e[1\x1e2\n", "\x1e2\n"],
  ["a number that may be", "\x1e1\n\x1e2", "\x1e1\n"],
  ["what isn't JSON", "\x1ex y\n\x1e2\n", "\x1e2\n"],
  ["what is no record", "1 2", ""],
])("with --seq, %s is told and passed over", async (_what, input, stdout) => {
  const result = await ours([".", "-c", "--seq"], input);
  expect(result).toMatchObject({ stdout: stdout.trimEnd(), exitCode: 0 });
  expect(result.stderr).toMatch(/^jq: ignoring parse error: /);
  expect(reference([".", "-c", "--seq"], input)).toMatchObject({ stdout: stdout.trimEnd(), exitCode: 0 });
});

describe("positional values", () => {
  test.each<[args: string[], positional: unknown]>([
    [
      ["--args", "a", "b"],
      ["a", "b"],
    ],
    [
      ["--jsonargs", "1.0", '{"x":2}'],
      [1, { x: 2 }],
    ],
    [
      ["--args", "a", "--jsonargs", "1", "--arg", "x", "y", "2", "--args", "z"],
      ["a", 1, 2, "z"],
    ],
    [["--args"], []],
    [["--args", "--", "-n"], ["-n"]],
  ])("%j", async (args, positional) => {
    const { status, stdout, stderr } = await configcHere(["jq", "-nc", "$ARGS.positional", ...args]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual(positional);
  });

  test("files before them are read", async () => {
    const folder = folderWith({ "a.json": "[1]", "p.jq": ". + $ARGS.positional" });
    expect(
      (await configcHere(["jq", "-c", "-f", "p.jq", "a.json", "--args", "x"], { cwd: folder })).stdout,
    ).toBe('[1,"x"]\n');
    expect(configc(["jq", "--args", "-c", "$ARGS.positional", "x"], { input: "1" }).stdout).toBe('["x"]\n');
  });

  test("a value that isn't JSON", async () => {
    const { status, stderr } = await configcHere(["jq", "-n", ".", "--jsonargs", "x"]);
    expect(stderr).toContain("The value of --jsonargs isn't JSON: x");
    expect(status).toBe(2);
  });
});

test.each([
  ["at once", ["-n", "repeat(1)"], "", 0],
  ["of several inputs", ["-c", "repeat(.)"], "1 2", 0],
  // By then nothing more fits into the pipe.
  ["after a rest", ["-n", "repeat(1)"], "", 300],
])("who has read enough ends it, whatever would still come: %s", async (_, args, input, rest) => {
  const child = startConfigc(["jq", ...args], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin?.end(input);
  const errors: string[] = [];
  child.stderr?.on("data", (text) => errors.push(String(text)));
  child.stdout?.once("data", () => {
    child.stdout?.pause();
    setTimeout(() => child.stdout?.destroy(), rest);
  });
  const [status] = await once(child, "close");
  expect({ status, errors }).toEqual({ status: 0, errors: [] });
});

test("no program is too long", async () => {
  const { status, stdout } = await configcHere(["jq", "-n", "reduce range(6e6) as $i (0; . + 1)"]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "6000000\n" });
});

test("outputs come before the input ends", async () => {
  const child = startConfigc(["jq", "-c", "."], { stdio: ["pipe", "pipe", "inherit"] });
  const seen: string[] = [];
  child.stdout?.on("data", (chunk) => seen.push(String(chunk)));
  for (const input of ['{"a":1}\n', "[2]", ' "x" 3\n']) {
    child.stdin?.write(input);
    await once(child.stdout!, "data");
  }
  child.stdin?.end("4");
  const [status] = await once(child, "close");
  expect({ status, seen }).toEqual({ status: 0, seen: ['{"a":1}\n', "[2]\n", '"x"\n3\n', "4\n"] });
});

test.each([
  ["31", "31", "1;39"],
  [":::::32::33", "0;90", "33"],
  ["x", "0;90", "1;39"],
])("JQ_COLORS=%s", async (colors, ofNull, ofBrackets) => {
  const env = { ...process.env, JQ_COLORS: colors };
  const { stdout } = await configcHere(["jq", "-nc", "-C", "null, {}"], { env });
  expect(stdout).toBe(
    `\x1b[${ofNull}mnull\x1b[0m\n\x1b[${colors === "x" || colors === "31" ? ofBrackets : "1;39"}m{}\x1b[0m\n`,
  );
});

describe("modules", () => {
  const folder = folderWith({
    "text.jq":
      'import "words" as words {search: "parts"}; def shout: words::upper + "!"; def origin: $__loc__;',
    "parts/words.jq": "def upper: ascii_upcase;",
    "lib/rates.json": '{"eur": 1.10}\n2',
    "lib/dir/dir.jq": "def here: 1;",
    "lib/other/jq/main.jq": 'module {v: 2}; include "dir"; def there: $x;',
    "broken.jq": "def f:\n  nosuch;",
    "bad.json": "[1",
    "main.jq": 'include "text"; shout',
    "sub/main.jq": 'include "words" {search: "../parts"}; upper',
  });
  test.each<[args: string[], stdout: string]>([
    [["-n", 'import "text" as text; "a" | text::shout'], '"A!"\n'],
    [["-n", "-L", "lib", 'import "rates" as $rates; $rates[0].eur, $rates::rates[1]'], "1.10\n2\n"],
    [
      ["-n", "-L", "lib", "--arg", "x", "7", 'include "other"; include "dir"; [here, there]', "-c"],
      '[1,"7"]\n',
    ],
    [
      ["-n", "-c", "-L", "lib", '"other" | modulemeta'],
      '{"v":2,"deps":[{"is_data":false,"relpath":"dir"}],"defs":["there/0"]}\n',
    ],
    [["-n", "-c", 'include "text"; origin.file | endswith("text.jq")'], "true\n"],
    [["-f", "main.jq"], '"A!"\n'],
    [["-f", "sub/main.jq"], '"A"\n'],
  ])("%j", async (args, stdout) => {
    expect(await configcHere(["jq", ...args], { cwd: folder, input: '"a"' })).toEqual({
      status: 0,
      stdout,
      stderr: "",
    });
  });

  test.each<[program: string, status: number, message: string]>([
    ['include "missing"; .', 3, 'There is no module "missing".'],
    ['include "../text"; .', 3, 'There is no module "../text".'],
    ['include "broken"; .', 3, 'The module "broken" has a mistake, line 2: There is no function nosuch.'],
    ['import "bad" as $bad; .', 2, "bad.json: "],
    ['"missing" | modulemeta', 5, "module not found: missing"],
  ])("%s fails", async (program, status, message) => {
    const result = await configcHere(["jq", "-n", program], { cwd: folder });
    expect(result.stderr).toContain(message);
    expect(result.status).toBe(status);
  });
});

describe("files", () => {
  test("several inputs, a program and variables", async () => {
    const folder = folderWith({
      "a.json": '1 {"x": 2.0}',
      "b.json": "3",
      "program.jq": "# adds up\n[., $list, $text]",
    });
    const args = ["-c", "-f", "program.jq", "--slurpfile", "list", "a.json", "--rawfile", "text", "b.json"];
    expect(await configcHere(["jq", ...args, "a.json", "b.json"], { cwd: folder })).toEqual({
      status: 0,
      stdout: '[1,[1,{"x":2.0}],"3"]\n[{"x":2.0},[1,{"x":2.0}],"3"]\n[3,[1,{"x":2.0}],"3"]\n',
      stderr: "",
    });
    expect((await configcHere(["jq", ".y", "b.json"], { cwd: folder })).stderr).toBe(
      'jq: error (at b.json:0): Cannot index number with string ("y")\n',
    );
    const lines = folderWith({ "a.json": "1\n2\n", "b.json": "3\n\n4" });
    const each = await configcHere(
      ["jq", "-c", "[., input_filename, input_line_number]", "a.json", "b.json"],
      {
        cwd: lines,
      },
    );
    expect(each.stdout).toBe('[1,"a.json",1]\n[2,"a.json",2]\n[3,"b.json",1]\n[4,"b.json",2]\n');
  });

  test("input without more to read", async () => {
    expect(await configcHere(["jq", "input"], { input: "1" })).toEqual({
      status: 5,
      stdout: "",
      stderr: "jq: error (at <stdin>:0): break\n",
    });
  });

  test("deep values are printed", () => {
    const depth = 9_000;
    const { status, stdout } = configc(["jq", "-c", "."], {
      input: "[".repeat(depth) + "]".repeat(depth),
    });
    expect(status).toBe(0);
    expect(stdout.length).toBe(2 * depth + 1);
  });

  test("a file that can't be read is told, and the others are read", async () => {
    const folder = folderWith({ one: "1", two: "2", "sub/x": "3" });
    const at = (name: string): string => join(folder, name);
    const result = await configcHere(["jq", "-e", ". > 1", at("one"), at("none"), at("sub"), at("two")]);
    expect(result).toMatchObject({ status: 2, stdout: "false\ntrue\n" });
    expect(result.stderr).toBe(
      `configc: ${at("none")} can't be read: there is no such file or folder.\nconfigc: ${at("sub")} can't be read: it is a folder.\n`,
    );
  });

  test.each([
    [["--indent", "9", "."], "--indent takes a number from 0 to 7, not 9."],
    [["-c"], "jq needs PROGRAM, or --from-file FILE."],
    [[".", "missing.json"], "missing.json can't be read: there is no such file or folder."],
    [["-f", "missing.jq"], "missing.jq can't be read"],
    [["--slurpfile", "x", "missing.json", "."], "missing.json can't be read"],
  ])("%j is wrong usage", async (args, message) => {
    const { status, stderr } = await configcHere(["jq", ...args], { input: "" });
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});
