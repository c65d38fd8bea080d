import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DocumentHighlight, Location, Range, WorkspaceEdit } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { Session } from "./support/session.ts";

/** Members of objects: where they are made and read, in one program and from step to step. */
let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session.dispose());

function configOf(steps: string): string {
  return `{"$version": "2", "auth": {"it": {"type": "basic"}}, "api": {"base_url": "https://api.example.com"}, "workflows": [{
"name": "w", "label": "W", "type": "automations", "auth": "it",
"setup": {"connect": {"label": "C", "describe_connection": {"!jq": "{account_id: 1}"}}},
"data_pipeline": {"source": {"!resource": "PlatformContact"}, "target": {"!pipe": [${steps}]}}}]}`;
}

/** The steps with `«…»` around the ranges. */
function marked(document: TextDocument, ranges: readonly Range[]): string {
  const edits = ranges.map((range) => ({ range, newText: `«${document.getText(range)}»` }));
  const text = TextDocument.applyEdits(document, edits);
  return text.slice(text.lastIndexOf('"!pipe": [') + 10, text.lastIndexOf("]}}}]}"));
}

const rows: readonly (readonly [name: string, from: string, to: string])[] = [
  [
    "from step to step, by its input and by number",
    '{"!jq": "{lis┆t: .x, other: 1}"}, {"!http": {"path": "/a/${piped_content.1.list}"}}, {"!jq": "${piped_content.1.list}"}',
    '{"!jq": "{«list»: .x, other: 1}"}, {"!http": {"path": "/a/${piped_content.1.«list»}"}}, {"!jq": "${piped_content.1.«list»}"}',
  ],
  [
    "from where it is read",
    '{"!jq": "{id: .x}"}, {"!jq": "{a: .i┆d}"}, {"!jq": ".a"}',
    '{"!jq": "{«id»: .x}"}, {"!jq": "{a: .«id»}"}, {"!jq": ".a"}',
  ],
  [
    "within a program, through variables",
    '{"!jq": "{a: {de┆ep: 1}} as $v | $v.a.deep + ({deep: 2} | .deep)"}',
    '{"!jq": "{a: {«deep»: 1}} as $v | $v.a.«deep» + ({deep: 2} | .deep)"}',
  ],
  [
    "of an alternative, both",
    '{"!jq": "if .x then {id: 1} else {id: 2} end"}, {"!jq": ".i┆d"}',
    '{"!jq": "if .x then {«id»: 1} else {«id»: 2} end"}, {"!jq": ".«id»"}',
  ],
];

describe("highlights", () => {
  test.each(rows)("%s", async (_, from, to) => {
    const opened = await session.open(configOf(from));
    const found = await session.request<DocumentHighlight[]>("textDocument/documentHighlight", {
      textDocument: { uri: opened.uri },
      position: opened.positions[0],
    });
    const ranges = (found ?? [])
      .map(({ range }) => range)
      .sort((a, b) => a.start.line - b.start.line || a.start.character - b.start.character);
    expect(marked(opened.document, ranges)).toBe(to);
  });
});

test("the definition is where it is made", async () => {
  const { result, opened } = await session.at<Location[]>(
    "textDocument/definition",
    configOf('{"!jq": "{id: .x}"}, {"!http": {"path": "/a/${piped_content.1.i┆d}"}}, {"!jq": "1"}'),
  );
  expect(
    marked(
      opened.document,
      result.map(({ range }) => range),
    ),
  ).toContain('{"!jq": "{«id»: .x}"}');
});

describe("rename", () => {
  const rename = async (steps: string, newName: string) => {
    const opened = await session.open(configOf(steps));
    const edit = await session.request<WorkspaceEdit>("textDocument/rename", {
      textDocument: { uri: opened.uri },
      position: opened.positions[0],
      newName,
    });
    return marked(
      TextDocument.create("x", "x", 1, TextDocument.applyEdits(opened.document, edit.changes![opened.uri]!)),
      [],
    );
  };

  test("goes everywhere, with quotes and shorthands as jq wants them", async () => {
    expect(
      await rename(
        '{"!jq": "{i┆d, other: 1}"}, {"!jq": "{a: .id, id}"}, {"!jq": "${piped_content.1.id}"}',
        "my-id",
      ),
    ).toBe(
      '{"!jq": "{\\"my-id\\": .id, other: 1}"}, {"!jq": "{a: .\\"my-id\\", id: .\\"my-id\\"}"}, {"!jq": "${piped_content.1.my-id}"}',
    );
  });

  test.each([
    ["what goes to the platform", '{"!jq": "{emai┆l: .x}"}', /others read by name/],
    [
      "what is sent as a whole",
      '{"!jq": "{i┆d: .x}"}, {"!http": {"method": "POST", "path": "/a", "body": "${piped_content.1}"}}',
      /takes the whole object/,
    ],
    ["what a program takes as a whole", '{"!jq": "{i┆d: .x}"}, {"!jq": "keys"}', /takes the whole object/],
    ["what is a part of something else", '{"!jq": "{a: {i┆d: .x}}"}, {"!jq": ".a"}', /part of another value/],
  ])("refuses %s", async (_, steps, why) => {
    await expect(rename(steps, "other")).rejects.toThrow(why);
  });
});
