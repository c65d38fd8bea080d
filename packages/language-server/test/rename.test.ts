import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProtocolConnection, WorkspaceEdit } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { clientOf } from "./support/in-process.ts";

/** Renaming by the kind of use: how the new name has to be written there, and when it can't be. */
let client: ProtocolConnection;
let opened = 0;
beforeAll(async () => {
  client = await clientOf();
});
afterAll(() => client.dispose());

/** Renames what is at the mark `┆`; gives the lines that change. */
async function renamed(marked: string, newName: string): Promise<readonly string[]> {
  const offset = marked.indexOf("┆");
  const text = marked.replace("┆", "");
  const uri = `untitled:rename-${++opened}.app.json`;
  const document = TextDocument.create(uri, "appconfig", 1, text);
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text },
  });
  const params = { textDocument: { uri }, position: document.positionAt(offset), newName };
  const { changes } = await client.sendRequest<WorkspaceEdit>("textDocument/rename", params);
  const after = TextDocument.applyEdits(document, changes![uri]!);
  JSON.parse(after);
  const before = text.split("\n");
  return after.split("\n").flatMap((line, index) => (line === before[index] ? [] : [line.trim()]));
}

const lines = (...all: string[]) => all.join("\n");
const intake = (members: string) => lines('{"data_intake": [{', members, "}]}");
const webhook = (...steps: string[]) =>
  intake(
    lines(
      '"type": "webhook", "name": "w", "scope": "workflow",',
      `"create": {"!pipe": [\n${steps.join(",\n")}]}`,
    ),
  );
const polling = (...members: string[]) =>
  intake(lines('"type": "polling", "name": "p",', members.join(",\n")));
const workflow = (field: string, display: string) =>
  lines(
    '{"type": "generic", "data_intake": "w", "setup": {"select": {"form_fields": [',
    `{"id": ${field}, "type": "textarea"}],`,
    `"describe_selection": {"display": ${display}}}}}`,
  );

describe("a new name is written as its place wants it", () => {
  test("a field's id in jq, with quotes or without", async () => {
    const one = (program: string) =>
      `{"workflows": [${workflow('"fo┆rm"', `{"!jq": ${JSON.stringify(program)}}`)}]}`;
    const line = async (program: string, to: string) => (await renamed(one(program), to)).at(-1);
    const written = (program: string) =>
      `"describe_selection": {"display": {"!jq": ${JSON.stringify(program)}}}}}}]}`;
    expect(await line(".custom_data.form.value", "my-form")).toBe(written('.custom_data."my-form".value'));
    expect(await line('.custom_data."form".value', 'a"b')).toBe(written('.custom_data."a\\"b".value'));
    expect(await line('.custom_data["form"].value', "a\\b")).toBe(written('.custom_data["a\\\\b"].value'));
    expect(await line(".custom_data | {form}", "new")).toBe(written(".custom_data | {form: .new}"));
  });

  test("a saved key, where it is made, read and passed on", async () => {
    const text = webhook(
      '{"!http": {"path": "/hooks"}}',
      '{"!jq": "{hook_id: .id, \\"secret\\": .key}"}',
      '{"!save": {"scope": "workflow"}}',
      '{"!http": {"method": "POST", "path": "/hooks/${piped_content.2.hook_id}/${piped_content.3.ho┆ok_id}"}}',
      '{"!print_c": "${data.workflow.hook_id}"}',
    );
    expect(await renamed(text, "hook-id")).toEqual([
      '{"!jq": "{\\"hook-id\\": .id, \\"secret\\": .key}"},',
      '{"!http": {"method": "POST", "path": "/hooks/${piped_content.2.hook-id}/${piped_content.3.hook-id}"}},',
      '{"!print_c": "${data.workflow.hook-id}"}]}',
    ]);
  });

  test("a saved key in quotes, and in the program of the step after", async () => {
    const text = webhook(
      '{"!jq": "{\\"ho┆ok_id\\": 1}"}',
      '{"!save": {"scope": "workflow"}}',
      '{"!jq": "{url: .hook_id}"}',
    );
    expect(await renamed(text, "x-y")).toEqual([
      '{"!jq": "{\\"x-y\\": 1}"},',
      '{"!jq": "{url: .\\"x-y\\"}"}]}',
    ]);
  });

  test("a polling key, in a state that is kept and added to", async () => {
    const text = polling(
      '"initial_setup": {"!jq": "{polling_state: {cur┆sor: null}}"}',
      '"request": {"!pipe": [{"!http": {"path": "/"}}, {"!jq": "{results: [], iterate: false, polling_state: (${polling_state} + {cursor: .next})}"}]}',
      '"post_poll": {"!jq": "{polling_state: ${polling_state}}"}',
    );
    expect(await renamed(text, "next-token")).toEqual([
      '"initial_setup": {"!jq": "{polling_state: {\\"next-token\\": null}}"},',
      '"request": {"!pipe": [{"!http": {"path": "/"}}, {"!jq": "{results: [], iterate: false, polling_state: (${polling_state} + {\\"next-token\\": .next})}"}]},',
    ]);
  });

  test("fields that an intake reads of several workflows", async () => {
    const text = lines(
      '{"data_intake": [{"type": "webhook", "name": "w", "scope": "workflow",',
      '"create": {"!http": {"path": "/${custom_data.fo┆rm.value}"}}}],',
      `"workflows": [${workflow('"form"', '"a"')}, ${workflow('"form"', '"b"')}]}`,
    );
    expect(await renamed(text, "new")).toEqual([
      '"create": {"!http": {"path": "/${custom_data.new.value}"}}}],',
      '{"id": "new", "type": "textarea"}],',
      '{"id": "new", "type": "textarea"}],',
    ]);
  });
});

describe("is refused, with the reason", () => {
  const state = (request: string) =>
    polling('"initial_setup": {"!jq": "{polling_state: {cur┆sor: null}}"}', `"request": ${request}`);
  const program = (text: string) => webhook(`{"!jq": ${JSON.stringify(text)}}`);
  const cases: { name: string; text: string; to: string; because: string }[] = [
    {
      name: "a key that a value brings along",
      text: webhook(
        '{"!jq": "{hook┆_id: 1}"}',
        '{"!save": {"scope": "workflow"}}',
        '{"!jq": "[{hook_id: 3}] | first"}',
        '{"!save": {"scope": "workflow"}}',
      ),
      to: "id",
      because: "through a value",
    },
    {
      name: "a key of a state that a program takes as a whole",
      text: state(
        '{"!jq": "${polling_state} as $s | {results: [], iterate: false, polling_state: {cursor: $s.cursor}}"}',
      ),
      to: "token",
      because: "the whole object",
    },
    {
      name: "a key that no path could name",
      text: webhook('{"!jq": "{hook┆_id: 1}"}', '{"!save": {"scope": "workflow"}}'),
      to: "a.b",
      because: "`. : | [ ] { } < >`",
    },
    { name: "a word of jq", text: program("def f┆: 1; f"), to: "if", because: "is a keyword of jq" },
    {
      name: "a function that would take a builtin's place",
      text: program("def f┆: 1; f | map(.)"),
      to: "map",
      because: "would then mean this function",
    },
    {
      name: "a variable that jq has",
      text: program(". as $a┆ | $a"),
      to: "ENV",
      because: "already exists",
    },
  ];
  test.each(cases)("$name", async ({ text, to, because }) => {
    await expect(renamed(text, to)).rejects.toThrow(because);
  });
});
