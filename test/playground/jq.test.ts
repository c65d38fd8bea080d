import { describe, expect, test } from "vitest";
import { jq, jqChoices, jqFormat } from "../../packages/playground/src/tools/jq.ts";

const orders = '{"orders": [{"id": 1, "total": 2.50}, {"id": 2, "note": null}]}';

describe("jq alone", () => {
  test.each([
    [".orders[].id", orders, "", ["1", "2"], "number", []],
    [".orders[0].total", orders, "", ["2.50"], "number | null", []],
    [".order", orders, "", ["null"], "null", ["program warning"]],
    [".orders | keys |", orders, "", [], "unknown", ["program error"]],
    [".a.b", '{"a": 1} {"a": {"b": 2}}', "", [], "number", ["run error"]],
    [".[]", "[1, 2", "", [], "unknown", ["input error"]],
    ["1 + 1", "", "", ["2"], "number", []],
    [".size", '{"size": 1}', "{ size: number | null", ["1"], "unknown", ["type error"]],
    [".size", '{"size": 1}', "{ size: number | null }", ["1"], "number | null", []],
    [".size", '{"size": 1}', '{"properties": {"size": {"type": "string"}}}', ["1"], "string | null", []],
    ["last(range(1e9))", "null", "", [], "number", ["run error"]],
  ])("%s of %s", (program, input, type, outputs, output, problems) => {
    const report = jq({ program, input, type });
    expect(report.outputs).toEqual(outputs);
    expect(report.output).toBe(output);
    expect(report.problems.map(({ in: place, severity }) => `${place} ${severity}`)).toEqual(problems);
  });

  test("so many outputs that not all can be shown", () => {
    const { outputs, left } = jq({ program: "range(100000)", input: "null", type: "" });
    expect(outputs.length).toBe(500);
    expect(left).toBeGreaterThan(0);
  });

  test("what can be written next", () => {
    const work = { program: ".orders[] | .to", input: orders, type: "" };
    const { from, choices } = jqChoices(work, work.program.length);
    expect(from).toBe(13);
    expect(choices.map(({ label, detail }) => [label, detail])).toEqual([
      ["id", "number"],
      ["total", "number"],
      ["note", "null"],
    ]);
  });

  test("a layout, where there is no mistake", () => {
    expect(jqFormat(".a|.b")).toBe(".a | .b");
    expect(jqFormat(".a|.b # c")).toBe(".a|.b # c");
    expect(jqFormat(".a|")).toBe(".a|");
  });
});
