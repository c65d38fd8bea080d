import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeAction, CompletionList, Diagnostic, ProtocolConnection } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { named, withPlaces } from "../../cli/src/named-template.ts";
import { clientOf } from "./support/in-process.ts";

/** What a document that has nothing yet is offered. */
const template = { name: "outbound", purpose: "Contacts go out", text: '{ "$version": "2" }\n' };
let client: ProtocolConnection;
beforeAll(async () => {
  client = await clientOf({ templatesFor: () => [template] });
});
afterAll(() => client.dispose());

let opened = 0;
async function open(text: string): Promise<TextDocument> {
  const document = TextDocument.create(`file:///new-${++opened}.app.json`, "appconfig", 1, text);
  const { uri, languageId, version } = document;
  await client.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
  return document;
}

function complete(
  { uri }: TextDocument,
  character: number,
  triggerCharacter?: string,
): Promise<CompletionList> {
  const context = triggerCharacter === undefined ? { triggerKind: 1 } : { triggerKind: 2, triggerCharacter };
  return client.sendRequest("textDocument/completion", {
    textDocument: { uri },
    position: { line: 0, character },
    context,
  });
}

test.each([
  ["nothing", "", 0],
  ["blanks", "  ", 1],
  ["an open brace", "{", 1],
  ["braces", "{}", 1],
  ["a byte order mark", "\uFEFF", 1],
])("a document with %s is offered templates, which take its place", async (_name, text, character) => {
  const document = await open(text);
  const { items } = await complete(document, character);
  const item = items.find(({ label }) => label === template.name)!;
  const after = TextDocument.applyEdits(document, [item.textEdit as never]);
  expect(after.replace("\uFEFF", "")).toBe(template.text);
  expect(after.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
  // What editors compare it with is what is written before the cursor.
  const before = text.slice(0, character).replace("\uFEFF", "");
  expect(item.filterText).toBe(before + template.name);
});

test("an empty document is offered the shape that the language asks for, without templates too", async () => {
  const { items } = await complete(await open(""), 0);
  expect(items.map(({ label }) => label)).toEqual(["{ }", template.name]);
});

test("an editor with snippets is offered the templates first, with the service's name to be written once", async () => {
  const text = readFileSync(new URL("../../cli/templates/outbound.app.json", import.meta.url), "utf8");
  const snippets = await clientOf(
    { templatesFor: () => [{ ...template, ...withPlaces(text, "My Shop") }] },
    {
      textDocument: { completion: { completionItem: { snippetSupport: true } } },
    },
  );
  const textDocument = { uri: "file:///snippets.app.json", languageId: "appconfig", version: 1, text: "" };
  await snippets.sendNotification("textDocument/didOpen", { textDocument });
  const { items } = await snippets.sendRequest<CompletionList>("textDocument/completion", {
    textDocument,
    position: { line: 0, character: 0 },
  });
  const [first] = items.toSorted((a, b) => (a.sortText! < b.sortText! ? -1 : 1));
  expect([first?.label, first?.insertTextFormat]).toEqual([template.name, 2]);
  const { newText } = first!.textEdit!;
  expect(newText).toContain('"auth": "${1:my-shop}"');
  expect(newText).toContain('"label": "${2:My Shop}');
  // Taken as it is, it is the template.
  expect(newText.replace(/\$\{\d:([\w -]+)\}/g, "$1").replace(/\\([\\$}])/g, "$1")).toBe(
    named(text, "My Shop"),
  );
  snippets.dispose();
});

test("a document with something in it isn't offered another one", async () => {
  const { items } = await complete(await open('{ "$version": "2", }'), 19);
  expect(items.map(({ label }) => label)).not.toContain(template.name);
});

function findings({ uri }: TextDocument): Promise<{ items: Diagnostic[] }> {
  return client.sendRequest("textDocument/diagnostic", { textDocument: { uri } });
}

test.each(["", " ", "\uFEFF", "\n\n"])("a document with nothing in it isn't wrong yet: %j", async (text) => {
  expect((await findings(await open(text))).items).toEqual([]);
});

test("it is told what is wrong as soon as something is written, and no more once that is gone", async () => {
  const document = await open("");
  const change = async (version: number, text: string): Promise<readonly unknown[]> => {
    const textDocument = { uri: document.uri, version };
    await client.sendNotification("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
    return (await findings(document)).items.map(({ code }) => code);
  };
  expect(await change(2, "{}")).toContain("structure/missing-member");
  expect(await change(3, "{")).toContain("syntax/unclosed-bracket");
  expect(await change(4, "\n")).toEqual([]);
});

test("an empty document can begin with a template, without a finding to mend", async () => {
  const document = await open(" ");
  const { uri } = document;
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const actions = await client.sendRequest<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri },
    range,
    context: { diagnostics: [] },
  });
  const action = actions.find(({ title }) => title.includes("`outbound`"))!;
  expect(action.title).toBe("Begin with the template `outbound`: contacts go out");
  expect(TextDocument.applyEdits(document, action.edit!.changes![uri]!)).toBe(template.text);
});

test("who types a brace may want a new line next, not the first of a list", async () => {
  const document = await open("{}");
  expect((await complete(document, 1, "{")).items).toEqual([]);
  expect((await complete(document, 1, '"')).items).not.toEqual([]);
});
