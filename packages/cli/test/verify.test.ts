import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { bin, configc, folderWith } from "./support/cli.ts";

/** `configc test --verify`: every jq program runs in jq itself too. */
const field = (id: string) => ({ id, label: id, type: "text", options: [] });
const config = (...programs: readonly string[]) =>
  JSON.stringify({
    $version: "2",
    auth: {},
    api: {},
    workflows: programs.map((program, index) => ({
      name: `w${index}`,
      label: "W",
      type: "automations",
      auth: "a",
      setup: { select: { label: "S", form_fields: ["k", "n", "t"].map(field) } },
      data_pipeline: { source: { "!jq": program } },
    })),
  });
const [k, n, t] = ["k", "n", "t"].map((id) => `\${custom_data.${id}.value}`);
const custom_data = { k: { value: "a b" }, n: { value: 0.1 }, t: { value: 'x"\\(1)&#\n' } };

function folderFor(program: string, test: object, more: Readonly<Record<string, string>> = {}): string {
  const cases = [{ name: "it", run: "/workflows/0/data_pipeline/source", context: { custom_data }, ...test }];
  return folderWith({
    "w.app.json": config(program),
    "w.apptest.json": JSON.stringify({ config: "w.app.json", cases }),
    ...more,
  });
}

const input = { "a b": [1, { "a b": 2.5 }], big: 1 };

test("programs give the same in jq itself, with expansions in all places", () => {
  const programs: readonly [string, string][] = [
    ["a hole as a value", `[., ${n}, ${n} == 1]`],
    ["in a string, with everything that could end it", `"<${t}>"`],
    ["in a format string", `@uri "x=${t}"`],
    ["in an interpolation", `"\\(${t} | length)"`],
    ["after a dot", `.${k}`],
    ["further along a path", `.${k}[1].${k}`],
    ["as a key", `{${k}: 1, (${k} + "c"): ${n}}`],
    ["in a pattern", `. as {${k}: $x} | $x`],
    ["in a comment", `.big # ${k}`],
    ["the time", "now | todate"],
    ["nothing", "empty"],
    ["only the first output", "1, error"],
    ["definitions", 'def f: "y"; f'],
    ["a failure", 'error("no")'],
  ];
  const cases = programs.map(([name, program], index) => ({
    name,
    run: `workflows.w${index}.data_pipeline.source`,
    context: { custom_data },
    now: "2030-01-02T03:04:05Z",
    input,
    ...(program.startsWith("error") ? { expectError: {} } : {}),
  }));
  const cwd = folderWith({
    "w.app.json": config(...programs.map(([, program]) => program)),
    "w.apptest.json": JSON.stringify({ config: "w.app.json", cases }),
  });
  const { status, stdout } = configc(["test", "--verify"], { cwd });
  expect([stdout, status]).toEqual([
    expect.stringContaining(
      `${programs.length} runs of ${programs.length} jq programs gave the same in jq itself\n`,
    ),
    0,
  ]);
});

/** A jq of another mind. */
const other = (run: string) => ({
  "node_modules/jq-wasm/package.json": '{"name": "jq-wasm", "main": "index.cjs"}',
  "node_modules/jq-wasm/index.cjs": `exports.loadJq = async () => ({ raw() { ${run} } });`,
});

describe("where jq differs, the case fails", () => {
  test.each<[string, string, string]>([
    ["another output", 'return { stdout: "2\\n", stderr: "" };', "in jq itself: 2, here 1. Its input was 7"],
    ["an error", 'return { stdout: "", stderr: "jq: error: no" };', "it fails (jq: error: no), here 1"],
    ["nothing", 'return { stdout: "", stderr: "" };', "in jq itself: nothing, here 1"],
  ])("%s", (_name, run, says) => {
    const cwd = folderFor("1", { input: 7, expect: 1 }, other(run));
    const { status, stdout } = configc(["test", "--verify"], { cwd });
    expect([stdout, status]).toEqual([expect.stringContaining(says), 1]);
    expect(stdout).toContain("/workflows/0/data_pipeline/source");
  });

  test("a jq that breaks down isn't held against the config", () => {
    const cwd = folderFor("1", { input: 7, expect: 1 }, other('throw new Error("abort");'));
    const { status, stdout } = configc(["test", "--verify", "--format", "json"], { cwd });
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ verified: { programs: 0, runs: 0, skipped: 1 } }),
    ]);
  });
});

test("without the package, one is told what to install", () => {
  const cwd = folderFor("1", {});
  const home = join(cwd, "elsewhere");
  mkdirSync(home);
  for (const name of ["bin", "dist", "package.json"])
    cpSync(join(dirname(bin), "..", name), join(home, name), { recursive: true });
  const { status, stderr } = configc(["test", "--verify"], { cwd, bin: join(home, "bin", "configc.js") });
  expect([status, stderr]).toEqual([2, expect.stringContaining("npm install --save-dev jq-wasm@")]);
});
