import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeAction, WorkspaceEdit } from "vscode-languageserver/node";
import { Session } from "./support/session.ts";

/** Edits say which version of the document they are for, to clients that look at that before they make one. */
let session: Session;
beforeAll(async () => {
  session = await Session.start({ workspace: { workspaceEdit: { documentChanges: true } } });
});
afterAll(() => session.dispose());

const text = `{
  "$version": "2",
  "auth": {"one┆": {"type": "none"}},
  "workflows": [{"name": "a", "auth": "one", "lable": "A"}]
}`;

async function changed() {
  const opened = await session.open(text);
  const { uri } = opened;
  await session.connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version: 7 },
    contentChanges: [{ text: `${opened.document.getText()}\n` }],
  });
  return { textDocument: { uri }, position: opened.positions[0]! };
}

test("a rename", async () => {
  const { textDocument, position } = await changed();
  const edit = await session.request<WorkspaceEdit>("textDocument/rename", {
    textDocument,
    position,
    newName: "two",
  });
  expect(edit.changes).toBeUndefined();
  expect(edit.documentChanges).toMatchObject([
    { textDocument: { ...textDocument, version: 7 }, edits: [{ newText: "two" }, { newText: "two" }] },
  ]);
});

test("an action", async () => {
  const { textDocument } = await changed();
  // That of `lable`, which is spelled wrong.
  const line = { start: { line: 3, character: 0 }, end: { line: 4, character: 0 } };
  const actions = await session.request<CodeAction[]>("textDocument/codeAction", {
    textDocument,
    range: line,
    context: { diagnostics: [] },
  });
  const edits = actions.flatMap(({ edit }) => edit ?? []);
  expect(edits.length).toBeGreaterThan(0);
  for (const { documentChanges } of edits)
    expect(documentChanges).toMatchObject([{ textDocument: { ...textDocument, version: 7 } }]);
});
