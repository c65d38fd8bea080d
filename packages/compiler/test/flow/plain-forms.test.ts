import { compile, type JqProgram } from "@configc/compiler";
import type { Expression } from "@configc/jq";
import { describe, expect, test } from "vitest";
import { flowOf } from "../../src/flow/flow.ts";
import { bare, nodesOfKind } from "../../src/flow/nodes.ts";
import { plainBody } from "../../src/flow/plain-body.ts";
import { stepAt, stepBefore } from "../../src/flow/producers.ts";
import { resultsOf } from "../../src/flow/result.ts";
import { memberValue } from "../../src/parse/member-value.ts";

/* Rules ask of what form a program or a place is: they see the same in every spelling. */

const modelOf = (source: unknown) =>
  compile(JSON.stringify({ workflows: [{ data_pipeline: { source } }] })).model;
const programOf = (text: string): JqProgram => modelOf({ "!jq": text }).programs[0]!;
const textOf = ({ start, end }: Expression, { node }: JqProgram): string => node.value.slice(start, end);

describe("conditions", () => {
  test.each([
    ["if .a then 1 else 2 end", [[".a", "1"]], "2"],
    ["if .a | not then 1 else 2 end", [[".a", "2"]], "1"],
    ["if (.a | not | not) then 1 else 2 end", [["(.a | not | not)", "1"]], "2"],
    [
      "if .a then 1 else if .b then 2 else 3 end end",
      [
        [".a", "1"],
        [".b", "2"],
      ],
      "3",
    ],
    [
      "if .a then 1 else (if .b | not then 2 else 3 end) end",
      [
        [".a", "1"],
        [".b", "3"],
      ],
      "2",
    ],
    [
      "if .a | not then (if .b then 2 else 3 end) else 1 end",
      [
        [".a", "1"],
        [".b", "2"],
      ],
      "3",
    ],
    [
      "if .a | not then 1 else if .b then 2 else 3 end end",
      [
        [".a | not", "1"],
        [".b", "2"],
      ],
      "3",
    ],
    [
      "if .a then 1 else if .b then 2 end end",
      [
        [".a", "1"],
        [".b", "2"],
      ],
      undefined,
    ],
    ["if .a | not then 1 end", [[".a | not", "1"]], undefined],
  ] as const)("%s", (text, branches, otherwise) => {
    const program = programOf(text);
    const [found, ...others] = nodesOfKind(program, "If");
    expect(others).toEqual([]);
    expect(found === plainBody(program)).toBe(true);
    expect(
      found?.branches.map(({ condition, body }) => [textOf(condition, program), textOf(body, program)]),
    ).toEqual(branches);
    expect(found?.otherwise && textOf(found.otherwise, program)).toBe(otherwise);
  });
});

test.each([
  [".a == 1 | not", "!="],
  ["(.a != 1) | not", "=="],
  [".a < 1 | not", ">="],
])("%s", (text, operator) => {
  const program = programOf(text);
  const node = bare(program.tree.body);
  expect(node.kind === "Comparison" && node.operator).toBe(operator);
  expect(nodesOfKind(program, "Comparison")).toEqual([node]);
});

describe("pipes", () => {
  const [idle, one, two] = [{ "!jq": "." }, { "!jq": ".one" }, { "!jq": ".two" }];
  const log = { "!print_c": "here" };
  test.each([
    [{ "!pipe": [one, two] }],
    [{ "!pipe": [idle, one, log, two] }],
    [{ "!pipe": [one, idle, two, idle, log] }],
    [{ "!pipe": [{ "!pipe": [one] }, { "!pipe": [two, idle] }] }],
    [{ "!pipe": [{ "!pipe": [idle, one, two] }] }],
  ])("%j", (source) => {
    const model = modelOf(source);
    const plain = flowOf(model).plainAt(memberValue(model.workflows[0]!.node, "data_pipeline", "source"));
    expect(plain?.children.map((step) => step?.program?.node.value)).toEqual([".one", ".two"]);
    const [, last] = plain!.children;
    expect(
      stepBefore(last!)?.program?.node.value ?? resultsOf(stepBefore(last!)!)[0]?.program?.node.value,
    ).toBe(".one");
    expect(resultsOf(model.commands[0]!).map(({ program }) => program?.node.value)).toEqual([".two"]);
  });

  test("of one step, it is that step", () => {
    const model = modelOf({ "!pipe": [idle, { "!pipe": [one, idle] }] });
    const plain = flowOf(model).plainAt(memberValue(model.workflows[0]!.node, "data_pipeline", "source"));
    expect(plain?.program?.node.value).toBe(".one");
  });

  test("a number means the step that makes the value", () => {
    const model = modelOf({ "!pipe": [one, idle, log, two] });
    const last = model.commands.at(-1)!;
    expect([0, 1, 2, 3, 4].map((index) => stepAt(last, index)?.program?.node.value)).toEqual([
      undefined,
      ".one",
      ".one",
      ".one",
      ".two",
    ]);
  });
});
