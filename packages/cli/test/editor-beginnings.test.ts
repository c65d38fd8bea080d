import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CompletionList, ProtocolConnection } from "vscode-languageserver/node";
import { templateNames } from "../src/template-names.ts";
import { bin } from "./support/cli.ts";
import { type Editor, openEditor } from "./support/editor.ts";

/** An empty document in an editor: not wrong yet, and offered whole configs (E214). The command as it was built, over stdio. */
const uri = "file:///my-shop.app.json";
let editor: Editor;
let client: ProtocolConnection;
const published: {
  readonly version?: number;
  readonly diagnostics: readonly { readonly code?: unknown }[];
}[] = [];
beforeAll(async () => {
  const completion = { completionItem: { snippetSupport: true } };
  editor = await openEditor({ textDocument: { completion } }, (connection) => {
    connection.onNotification("textDocument/publishDiagnostics", (params) => {
      published.push(params);
    });
  });
  client = editor.client;
  const textDocument = { uri, languageId: "appconfig", version: 1, text: "" };
  await client.sendNotification("textDocument/didOpen", { textDocument });
});
afterAll(() => editor?.close());

async function change(version: number, text: string): Promise<void> {
  const textDocument = { uri, version };
  await client.sendNotification("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
}

const offered = (): Promise<CompletionList> =>
  client.sendRequest("textDocument/completion", {
    textDocument: { uri },
    position: { line: 0, character: 0 },
  });

test("an empty document has no findings, and is told what is wrong from the first character on", async () => {
  await change(2, "{");
  await expect.poll(() => published.at(-1)?.version, { timeout: 30_000 }).toBe(2);
  await change(3, "");
  await expect.poll(() => published.at(-1)?.version, { timeout: 30_000 }).toBe(3);
  const codes = published.map(({ version, diagnostics }) => [version, diagnostics.length > 0]);
  expect(codes).toEqual([
    [1, false],
    [2, true],
    [3, false],
  ]);
});

test("it is offered the four templates, called after the file and without findings", async () => {
  const { items } = await offered();
  const templates = items
    .toSorted((a, b) => (a.sortText! < b.sortText! ? -1 : 1))
    .slice(0, templateNames.length);
  expect(templates.map(({ label }) => label)).toEqual([...templateNames]);
  for (const [index, { label, textEdit }] of templates.entries()) {
    const text = textEdit!.newText.replace(/\$\{\d:([\w -]+)\}/g, "$1").replace(/\\([\\$}])/g, "$1");
    expect(text).toContain("My Shop");
    const version = 4 + index;
    await change(version, text);
    await expect.poll(() => published.at(-1)?.version, { timeout: 30_000 }).toBe(version);
    expect(published.at(-1)?.diagnostics, label).toEqual([]);
  }
});

test("`configc check` says that an empty file is no config", () => {
  const args = [bin, "check", "--format", "compact", "--stdin-filename", "my-shop.app.json", "-"];
  const { status, stdout } = spawnSync(process.execPath, args, { input: "", encoding: "utf8" });
  expect(status).toBe(1);
  expect(stdout).toContain("syntax/empty-document");
});
