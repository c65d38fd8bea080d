import { compile, type JqProgram } from "@configc/compiler";
import { printType, types } from "@configc/jq";
import { describe, expect, test } from "vitest";
import { inferNodes } from "../../src/flow/inference.ts";
import { plainType, typeRead } from "../../src/flow/plain-type.ts";
import { validConfigs } from "../support/configs.ts";

/** What is read off a program's form is what would be inferred. */
const programs = validConfigs().flatMap(({ path, text }) => compile(text, { uri: path }).model.programs);
const written = [
  ".a",
  ".a.b[].c",
  "[.items[] | {display: .title, value: .id}]",
  "{a, b: .c, d: {e: [.f[]]}}",
  ".items[] | .tags[] | .name",
  '.a."b"',
  '{"a b": .c}',
  "(.a)",
  "[.a[] | [.b]]",
  ".a // .b",
  '{a: (.b // false), c: (.d // .e // "none"), f: (.g // [])}',
].map((text) => programOf(text));

function programOf(text: string): JqProgram {
  const config = { workflows: [{ data_pipeline: { source: { "!jq": text } } }] };
  return compile(JSON.stringify(config)).model.programs[0]!;
}

test("the programs of the examples and templates, and others of this kind", () => {
  let compared = 0;
  for (const program of [...programs, ...written]) {
    const plain = plainType(program);
    if (plain === null || program.holes.length > 0 || program.diagnostics.length > 0) continue;
    compared++;
    for (const input of [types.unknown, types.anyObject]) {
      const { type, cardinality, diagnostics } = inferNodes(program, input, []);
      expect([printType(type), cardinality, diagnostics], program.node.value).toEqual([
        printType(plain.type),
        plain.cardinality,
        [],
      ]);
      expect(type === plain.type, program.node.value).toBe(true);
    }
  }
  expect(compared).toBeGreaterThan(40);
});

describe("other programs are left to inference", () => {
  test.each([
    ".",
    ".a + 1",
    "{a: .b[]}",
    ".[0]",
    '"x"',
    "[.]",
    "{a: .}",
    ".a | tostring",
    ". as $x | $x",
    "{a: .b, a: .c}",
  ])("%s", (text) => {
    expect(plainType(programOf(text))).toBeNull();
  });
});

describe("a path below what is known", () => {
  const form = types.object([
    ["value", { type: types.string, optional: false }],
    ["display", { type: types.string, optional: true }],
  ]);
  const input = types.object(
    [
      [
        "custom_data",
        { type: types.object([["form", { type: form, optional: false }]], types.unknown), optional: false },
      ],
    ],
    types.unknown,
  );

  test.each([
    ".custom_data.form.value",
    '.custom_data."form".display',
    ".custom_data.other.value",
    ".custom_data.form",
    ".webhook.url",
    ".custom_data.form.value.length",
    ".custom_data.form.name",
    ".custom_data.form.display.name",
    ".custom_data[0]",
    ".custom_data.form?",
  ])("%s", (text) => {
    const program = programOf(text);
    for (const known of [input, types.unknown, types.anyObject, types.string, types.object([])]) {
      const read = typeRead(program, known);
      if (read === undefined) continue;
      const { type, cardinality, diagnostics } = inferNodes(program, known, []);
      expect([type === read, cardinality, diagnostics]).toEqual([true, "one", []]);
    }
  });

  test("what is certainly missing, and what is no path, is left to inference", () => {
    const texts = [".custom_data.form.name", ".custom_data.form.value.length", ".custom_data[0]", ".a | .b"];
    expect(texts.map((text) => typeRead(programOf(text), input))).toEqual(texts.map(() => undefined));
    expect(typeRead(programOf(".custom_data.form.value"), input)).toBe(types.string);
  });
});
