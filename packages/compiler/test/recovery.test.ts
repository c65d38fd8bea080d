import { describe, expect, test } from "vitest";
import { cases } from "../../../test/support/cases.ts";
import { buildTree } from "../src/parse/readings.ts";
import { toJson } from "../src/parse/syntax-tree.ts";

/**
 * Slips with quotes and brackets (D2): `bad` gives the tree of `means` and one problem of that kind at those characters.
 * Each stands in a document that goes on after it, so a cascade would show.
 */
const slips: readonly { name: string; bad: string; means: string; kind: string; at: string }[] = [
  {
    name: "a name without its closing quote",
    bad: '{\n  "a: "x",\n  "b": 1\n}',
    means: '{"a": "x", "b": 1}',
    kind: "unclosed-string",
    at: '"a',
  },
  {
    name: "a name without its opening quote",
    bad: '{\n  a": "x",\n  "b": 1\n}',
    means: '{"a": "x", "b": 1}',
    kind: "unopened-string",
    at: 'a"',
  },
  {
    name: "a name without its closing quote, before a bracket",
    bad: '{\n  "a: {\n    "x": 1\n  },\n  "b": 1\n}',
    means: '{"a": {"x": 1}, "b": 1}',
    kind: "unclosed-string",
    at: '"a',
  },
  {
    name: "a string without its closing quote takes the comma that the next line wants",
    bad: '{\n  "a": "x, y,\n  "b": 1\n}',
    means: '{"a": "x, y", "b": 1}',
    kind: "unclosed-string",
    at: '"x, y',
  },
  {
    name: "a program without its closing quote leaves the brackets that belong to the line",
    bad: '[\n  { "!jq": ".a | map({b: .c}) },\n  { "!jq": "." }\n]',
    means: '[{"!jq": ".a | map({b: .c})"}, {"!jq": "."}]',
    kind: "unclosed-string",
    at: '".a | map({b: .c})',
  },
  {
    name: "a program without its opening quote",
    bad: '[\n  { "!jq": {a: .b}" },\n  { "!jq": "." }\n]',
    means: '[{"!jq": "{a: .b}"}, {"!jq": "."}]',
    kind: "unopened-string",
    at: '{a: .b}"',
  },
  {
    name: "quotes inside a program that aren't escaped",
    bad: '{\n  "!jq": "map(select(.t == "form"))",\n  "b": 1\n}',
    means: '{"!jq": "map(select(.t == \\"form\\"))", "b": 1}',
    kind: "unescaped-quote",
    at: '"map(select(.t == "form"))"',
  },
  {
    name: "single quotes around a text with quotes in it",
    bad: '{\n  "a": \'it is "x", y\', "c": 2,\n  "b": 1\n}',
    means: '{"a": "it is \\"x\\", y", "c": 2, "b": 1}',
    kind: "other-quotes",
    at: "'it is \"x\", y'",
  },
  {
    name: "typographic quotes around an address",
    bad: '{\n  "a": “https://x.example/,y”,\n  "b": 1\n}',
    means: '{"a": "https://x.example/,y", "b": 1}',
    kind: "other-quotes",
    at: "“https://x.example/,y”",
  },
  {
    name: "an object without its brace",
    bad: '{\n  "a":\n    "x": 1,\n    "y": {"z": 2}\n  },\n  "b": 1\n}',
    means: '{"a": {"x": 1, "y": {"z": 2}}, "b": 1}',
    kind: "missing-opener",
    at: '"a"',
  },
  {
    name: "an object without its brace, on one line",
    bad: '[{ "!http": "path": "/x", "method": "GET" } }, { "!jq": "." }]',
    means: '[{"!http": {"path": "/x", "method": "GET"}}, {"!jq": "."}]',
    kind: "missing-opener",
    at: '"!http"',
  },
  {
    name: "the first object of a list without its brace",
    bad: '{"a": ["x": 1, "y": 2 }, { "x": 3, "y": 4 }], "b": 1}',
    means: '{"a": [{"x": 1, "y": 2}, {"x": 3, "y": 4}], "b": 1}',
    kind: "missing-opener",
    at: '"x"',
  },
  {
    name: "a list of objects without its bracket",
    bad: '{\n  "a": {\n    "x": 1\n  }, {\n    "x": 2\n  }],\n  "b": 1\n}',
    means: '{"a": [{"x": 1}, {"x": 2}], "b": 1}',
    kind: "missing-opener",
    at: '"a"',
  },
  {
    name: "a list of texts without its bracket",
    bad: '{"a": "x", "y", "z"], "b": 1}',
    means: '{"a": ["x", "y", "z"], "b": 1}',
    kind: "missing-opener",
    at: '"a"',
  },
  {
    name: "a line break in a string",
    bad: '{\n  "a": "one\n  two",\n  "b": 1\n}',
    means: '{"a": "one\\n  two", "b": 1}',
    kind: "line-break-in-string",
    at: '"one\n  two"',
  },
  {
    name: "a quote too many",
    bad: '{\n  "a"": 1,\n  "b": 1\n}',
    means: '{"a": 1, "b": 1}',
    kind: "unexpected-token",
    at: '"',
  },
  {
    name: "an equals sign",
    bad: '{\n  "a"= 1,\n  "b": 1\n}',
    means: '{"a": 1, "b": 1}',
    kind: "unexpected-token",
    at: "=",
  },
  {
    name: "a value that isn't written yet, nor its comma",
    bad: '{\n  "a":\n  "b": 1\n}',
    means: '{"b": 1}',
    kind: "missing-value",
    at: '"a"',
  },
  {
    name: "an object without its brace, by what its line is indented",
    bad: '{\n  "a": {\n    "x": 1\n  ,\n  "b": 1\n}',
    means: '{"a": {"x": 1}, "b": 1}',
    kind: "unclosed-bracket",
    at: "{",
  },
  {
    name: "an object without its brace, on one line",
    bad: '[\n  { "x": 1,\n  { "x": 2 }\n]',
    means: '[{"x": 1}, {"x": 2}]',
    kind: "unclosed-bracket",
    at: "{",
  },
  {
    name: "an array without its bracket, before a name",
    bad: '{\n  "a": ["x", "y", "b": 1\n}',
    means: '{"a": ["x", "y"], "b": 1}',
    kind: "unclosed-bracket",
    at: "[",
  },
  {
    name: "a brace too many",
    bad: '{\n  "a": {\n    "x": 1\n  }},\n  "b": 1\n}',
    means: '{"a": {"x": 1}, "b": 1}',
    kind: "unexpected-token",
    at: "}",
  },
  {
    name: "a bracket too many, deep inside",
    bad: '[\n  {\n    "a": ["x"]],\n    "b": 1\n  }\n]',
    means: '[{"a": ["x"], "b": 1}]',
    kind: "unexpected-token",
    at: "]",
  },
];

describe("a slip gives one problem, and the tree that was meant", () => {
  test.each(slips)("$name", ({ bad, means, kind, at }) => {
    for (const text of [bad, bad.replaceAll("\n", "\r\n"), `\ufeff${bad}`]) {
      const { root, problems } = buildTree(text, false);
      expect(problems.map((problem) => problem.kind)).toEqual([kind]);
      const { start, end } = problems[0]!.span;
      expect(text.slice(start, end).replaceAll("\r", "")).toBe(at);
      expect(JSON.stringify(toJson(root!)).replaceAll("\\r", "")).toBe(JSON.stringify(JSON.parse(means)));
    }
  });
});

describe("what can't be guessed is left as it is written", () => {
  test.each([
    ["a document on one line", '{"a": {"x": 1, "b": [1, 2}, "c": 3}'],
    ["without indentation", '{\n"a": {\n"x": 1\n,\n"b": 1\n}'],
    ["a long line", `{"a": "${"x ".repeat(5000)}`],
    ["many broken lines", '"a: \n'.repeat(20_000)],
    ["many quotes", `["${'"'.repeat(3_001)}]`],
    ["markers of conflicts", "<<<<<<<\n=======\n".repeat(cases(100_000))],
    ["blanks of another kind", `{${"\u00a0 ".repeat(cases(200_000))}}`],
    ["brackets only", "[".repeat(30_000) + "}".repeat(30_000)],
  ])("%s", (_, text) => {
    const { problems } = buildTree(text, false);
    expect(problems.length).toBeGreaterThan(0);
    for (const { span } of problems) expect(span.end).toBeLessThanOrEqual(text.length);
  });
});
