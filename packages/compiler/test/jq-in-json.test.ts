import { compile, fixesOf } from "@configc/compiler";
import { spanOf } from "@configc/compiler/internal";
import { describe, expect, test } from "vitest";
import { exampleDocument } from "./rule-examples.ts";

/**
 * Findings in jq programs stand at their own characters in the document, whatever escapes the JSON string is written with
 * (`design.md`, "Spans"). Programs are given as JSON text; `«…»` marks what is reported.
 */

interface Marked {
  readonly text: string;
  readonly spans: readonly { readonly start: number; readonly end: number }[];
}

/** Takes the marks out of a text; what they held is given in offsets of the result. */
function unmarked(marked: string): Marked {
  const spans: { start: number; end: number }[] = [];
  let text = "";
  for (const [index, piece] of marked.split(/[«»]/).entries()) {
    const start = text.length;
    text += piece;
    if (index % 2 === 1) spans.push({ start, end: text.length });
  }
  return { text, spans };
}

/** An inbound config whose pipeline's source is the command with that program. */
function documentOf(program: string, command: (json: string) => string): Marked {
  const at = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source", bad: "", good: "" } as const;
  const [before, after] = exampleDocument(at, "@@").text.split("@@");
  return unmarked(`${before}${command(program)}${after}`);
}

const inJq = (json: string) => `{"!jq": ${json}}`;
const inSwitch = (json: string) => `{"!switch": {"jq": ${json}, "cases": [{"!jq": "{email: .email}"}]}}`;

function jqFindings(text: string) {
  const { model, diagnostics } = compile(text, { uri: "a.app.json" });
  return diagnostics
    .filter(({ finding }) => finding.rule.id.startsWith("jq/"))
    .map((diagnostic) => ({ ...diagnostic, model }));
}

describe("a finding stands at its own characters", () => {
  test.each([
    ["no escapes", '"{email: .email, n: (.tags | «lenght»)}"', ["unknown-function"]],
    ["behind quotation marks", '"{a: \\"x\\", email: .email «b»: 1}"', ["syntax"]],
    ["behind line breaks", '"{\\n  email: .email,\\n  n: «lenght»\\n}"', ["unknown-function"]],
    ["behind CR LF and tabs", '"{\\r\\n\\temail: .email,\\r\\n\\tn: «lenght»}"', ["unknown-function"]],
    ["behind an escaped slash", '"{n: (.a \\/ «lenght»)}"', ["unknown-function"]],
    ["behind \\u escapes", '"{\\u0065mail: .\\u0065mail, n: «lenght»}"', ["unknown-function"]],
    ["over \\u escapes", '"{email: .email, n: «l\\u0065ngh\\u0074»}"', ["unknown-function"]],
    ["all of it in \\u escapes", '"«\\u0061\\u0062\\u0063»"', ["unknown-function"]],
    ["behind a surrogate pair as it is", '"{\\"😀\\": 1, n: «lenght»}"', ["unknown-function"]],
    ["behind an escaped surrogate pair", '"{\\"\\ud83d\\uDE00\\": 1, n: «lenght»}"', ["unknown-function"]],
    [
      "behind a pair of which one half is escaped",
      '"{\\"\\ud83d\uDE00\\": 1, n: «lenght»}"',
      ["unknown-function"],
    ],
    ["behind a lonely surrogate", '"{\\"\\ud83d\\": 1, n: «lenght»}"', ["unknown-function"]],
    ["behind a combined character", '"{\\"e\u0301👩‍👧\\": 1, n: «lenght»}"', ["unknown-function"]],
    ["an escape of jq", '"{email: .email, t: \\"a«\\\\q»b\\"}"', ["invalid-escape"]],
    ["an escape of jq in \\u escapes", '"{email: .email, t: \\"a«\\u005c\\u0071»b\\"}"', ["invalid-escape"]],
    ["an escaped surrogate of jq", '"{email: .email, t: \\"«\\\\ud83d»\\"}"', ["invalid-escape"]],
    ["a quotation mark", '"{email: .email, t: «\\"»abc}"', ["unterminated-string"]],
    ["inside an interpolation", '"{t: \\"a\\n\\\\(«lenght»)\\"}"', ["unknown-function"]],
    ["behind a hole", '"{t: ${custom_data.form.value}, n: «lenght»}"', ["unknown-function"]],
    [
      "behind a hole with escapes",
      '"{t: ${custom_data.\\u0066orm.value}, n: «lenght»}"',
      ["unknown-function"],
    ],
    [
      "behind a hole inside a string",
      '"{t: \\"\\n${custom_data.form.value}\\n\\", n: «lenght»}"',
      ["unknown-function"],
    ],
    ["a hole", '"{t: \\"é\\", n: 1 «${custom_data.form.value}»}"', ["hole-position"]],
    ["a hole with escapes", '"{n: 1 «\\u0024{custom_data.form.v\\u0061lue}»}"', ["hole-position"]],
    ["the end", '"{email: \\"x\\"«»"', ["unclosed"]],
    ["the end, before blanks", '"{email: .email} |«»\\n  "', ["unexpected-end"]],
    ["the end, before a comment", '"{email: .email} |«» # \\u00e9"', ["unexpected-end"]],
    [
      "several mistakes",
      '"{\\"é\\": «lenght», \\"\\u00e9\\": («$x» + 1), t: («@base46»)}"',
      ["unknown-function", "unknown-variable", "unknown-format"],
    ],
    ["the host", '"{t: \\"\\u00e9\\", h: «$ENV».HOST}"', ["host-function"]],
    ["a stream", '"\\n«.contacts[] | {t: \\"\\u00e9\\"}»\\n"', ["stream"]],
  ] as const)("%s", (_, program, codes) => {
    for (const command of [inJq, inSwitch]) {
      const { text, spans } = documentOf(program, command);
      const found = jqFindings(text);
      expect(found.map(({ finding }) => finding.rule.id)).toEqual(codes.map((code) => `jq/${code}`));
      expect(found.map(({ span }) => text.slice(span.start, span.end))).toEqual(
        spans.map(({ start, end }) => text.slice(start, end)),
      );
      expect(found.map(({ span }) => span)).toEqual(spans);
    }
  });
});

test("related places likewise", () => {
  const opened = documentOf('"{\\"é\\u00e9\\": «[»1}"', inJq);
  const used = documentOf('"{\\"\\u00e9\\": $x, \\"\\ud83d\\ude00\\": «$x»}"', inJq);
  for (const { text, spans } of [opened, used]) {
    const [found, ...others] = jqFindings(text);
    expect(others).toEqual([]);
    expect(found!.finding.related.map(({ at }) => spanOf(found!.model.document, at))).toEqual(spans);
  }
});

describe("a fix changes its own characters", () => {
  const fixed = (program: string): string => {
    const { text } = documentOf(program, inJq);
    const [found] = jqFindings(text);
    const { edits } = fixesOf(found!.model, found!)[0]!;
    return [...edits]
      .sort((a, b) => b.start - a.start)
      .reduce((result, edit) => result.slice(0, edit.start) + edit.newText + result.slice(edit.end), text);
  };
  test.each([
    ['"{\\"\\u00e9\\": (.tags | l\\u0065nght)}"', '"{\\"\\u00e9\\": (.tags | length)}"'],
    [
      '"{n: (\\"a\\\\n\\" | sub(\\"\\\\\\\\n\\", \\"\\"))}"',
      '"{n: (\\"a\\\\n\\" | sub(\\"\\\\\\\\n\\"; \\"\\"))}"',
    ],
    [
      '"\\t.contacts[] | {t: \\"\\u00e9\\"} # \\u00e9"',
      '"\\tfirst(.contacts[] | {t: \\"\\u00e9\\"}) # \\u00e9"',
    ],
    ['"{t: \\"😀\\", n: [.a}"', '"{t: \\"😀\\", n: [.a]}"'],
  ])("%s", (program, expected) => {
    expect(fixed(program)).toBe(documentOf(expected, inJq).text);
  });
});

describe("where another finding says it, or nothing is wrong, jq is silent", () => {
  const ruleIds = (program: string, command = inJq) => {
    const { text } = documentOf(program, command);
    return compile(text, { uri: "a.app.json" })
      .diagnostics.filter(({ severity }) => severity === "error" || severity === "warning")
      .map(({ finding }) => finding.rule.id);
  };
  test.each([
    ["D10: an expansion in a comment is ignored", '"{email: .email} # ${custom_data.nowhere.value} ${}"', []],
    [
      "D10: behind the comment's line it isn't",
      '"{email: .email} # ${custom_data.nowhere.value}\\n| {email, form: ${custom_data.nowhere.value}}"',
      ["expansion/unknown-field"],
    ],
    ["an empty program", '""', ["structure/empty-text"]],
    [
      "an expansion without its closer",
      '"{email: .email, form: ${custom_data.form.value"',
      ["expansion/unclosed"],
    ],
    ["an invalid escape of JSON", '"{email: .email, t: \\"\\q\\"}"', ["syntax/invalid-string"]],
  ])("%s", (_, program, expected) => {
    expect(ruleIds(program)).toEqual(expected);
  });
});

test("no program crashes or hangs it", () => {
  const programs = [
    "(".repeat(20_000),
    `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    `.a${" | .a".repeat(20_000)}`,
    "def f: f; f",
    `{${"a: lenght, ".repeat(5_000)}}`,
    '"'.repeat(10_001),
    "${".repeat(5_000),
    "\ud83d",
    "__proto__ | constructor | .__proto__",
    "inputs ".repeat(2_000),
    `${"first(".repeat(400)}.[]${")".repeat(400)}`,
  ];
  for (const program of programs) {
    for (const command of [inJq, inSwitch]) {
      const { text } = documentOf(JSON.stringify(program), command);
      for (const diagnostic of jqFindings(text)) {
        const { span, finding, model } = diagnostic;
        expect(span.start).toBeGreaterThanOrEqual(0);
        expect(span.end).toBeLessThanOrEqual(text.length);
        expect(span.end).toBeGreaterThanOrEqual(span.start);
        expect(finding.rule.message(finding.args).length).toBeLessThan(2_000);
        fixesOf(model, diagnostic);
      }
    }
  }
});
