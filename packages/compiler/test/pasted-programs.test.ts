import { applyEdits, compile, fixesOf } from "@configc/compiler";
import { parseDocument } from "@configc/compiler/internal";
import { describe, expect, test } from "vitest";
import { toJson } from "../src/parse/syntax-tree.ts";

/**
 * jq programs that were tried out elsewhere and put between the quotes of a config as they were (D2): one finding, all else is
 * read as it was meant, and the fix writes it so.
 */
const programs = [
  '.a | split(",")',
  'join(", ")',
  'select(.type == "order" or .type == "refund") | .id',
  '{iterate: .has_more == "true", polling_state: {page: 1}}',
  'if .a == "" then "1" else "" end',
  '.a // ""',
  '["a", "b"]',
  '{"a": .b, "c": "d"}',
  '.["a"]["b"]',
  '"x"',
  '"\\(.first) \\(.last)"',
  '{name: "\\(.first)"}',
  'test("^\\d+$")',
  'gsub("\\s"; "")',
  'test("^\\\\d+$")',
  '[{title: "A", id: "a"}, {title: "B", id: "b"}, {title: "C", id: "c"}, {title: "D", id: "d"}, {title: "E", id: "e"}, {title: "F", id: "f"}, {title: "G", id: "g"}]',
  "{\n  a: .b,\n  c: .d\n}",
  '{\n  "a": .b,\n  c: "x"\n}',
  '.items\n| map(select(.a == "b"))\n| length',
  '.[] |\r\n\tif .a == "x"\r\n\tthen "\\(.b)"\r\n\telse empty end',
];

const around = (program: string): string => `{
  "first": { "!jq": "${program}" },
  "second": [{ "!pipe": [ { "!jq": "${program}" }, { "!jq": "." } ] }],
  "third": {
    "!jq": "${program}"
  }
}`;

describe.each(programs)("%j", (program) => {
  const text = around(program);
  const { root, problems } = parseDocument(text, "a.app.json");

  test("is one mistake in each place", () => {
    const kind = program.includes("\n") ? "line-break-in-string" : "unescaped-quote";
    expect(problems.map(({ kind, span }) => [kind, text.slice(span.start, span.end)])).toEqual(
      new Array(3).fill([kind, `"${program}"`]),
    );
  });

  test("is read as it was meant", () => {
    expect(root && toJson(root)).toEqual({
      first: { "!jq": program },
      second: [{ "!pipe": [{ "!jq": program }, { "!jq": "." }] }],
      third: { "!jq": program },
    });
  });

  test("is written so by its fix", () => {
    const { model, diagnostics } = compile(text, { uri: "file:///a.app.json" });
    const edits = diagnostics
      .filter(({ finding }) => finding.rule.id.startsWith("syntax/"))
      .flatMap((diagnostic) => fixesOf(model, diagnostic)[0]?.edits ?? []);
    expect(applyEdits(text, edits)).toBe(around(JSON.stringify(program).slice(1, -1)));
  });
});
