import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CompletionItem, CompletionList, DocumentDiagnosticReport } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { Session } from "./support/session.ts";

/** Documents as they are while someone types: cut off somewhere. */
const text = readFileSync(
  new URL("../../../examples/help-desk/help-desk.app.json", import.meta.url),
  "utf8",
).slice(0, 9_000);
const STEP = 50;

const atPosition = [
  "textDocument/completion",
  "textDocument/hover",
  "textDocument/signatureHelp",
  "textDocument/definition",
  "textDocument/typeDefinition",
  "textDocument/linkedEditingRange",
  "textDocument/documentHighlight",
  "textDocument/prepareRename",
  "textDocument/prepareCallHierarchy",
];
const ofDocument = [
  "textDocument/documentSymbol",
  "textDocument/foldingRange",
  "textDocument/documentLink",
  "textDocument/codeLens",
  "configc/symbols",
  "textDocument/semanticTokens/full",
  "textDocument/diagnostic",
];
const options = { tabSize: 2, insertSpaces: true };

let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session.dispose());

test("every method answers on a document that is cut at every 50th character", async () => {
  const { uri } = await session.open("");
  const textDocument = { uri };
  let completed = 0;
  for (let end = STEP; end < text.length; end += STEP) {
    const cut = TextDocument.create(uri, "appconfig", end, text.slice(0, end));
    const position = cut.positionAt(end);
    const range = { start: { line: 0, character: 0 }, end: position };
    await session.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: end },
      contentChanges: [{ text: cut.getText() }],
    });
    // A rejected request is one that failed in the server.
    const [completion, diagnostics] = await Promise.all([
      session.request<CompletionItem[] | CompletionList | null>("textDocument/completion", {
        textDocument,
        position,
      }),
      session.request<DocumentDiagnosticReport & { kind: "full" }>("textDocument/diagnostic", {
        textDocument,
      }),
      ...atPosition.map((method) => session.request(method, { textDocument, position })),
      ...ofDocument.map((method) => session.request(method, { textDocument })),
      session.request("textDocument/references", {
        textDocument,
        position,
        context: { includeDeclaration: true },
      }),
      session.request("textDocument/selectionRange", { textDocument, positions: [position] }),
      session.request("textDocument/inlayHint", { textDocument, range }),
      session.request("configc/lenses", { textDocument, range }),
      session.request("textDocument/codeAction", { textDocument, range, context: { diagnostics: [] } }),
      session.request("textDocument/formatting", { textDocument, options }),
      session.request("workspace/symbol", { query: "a" }),
    ]);
    expect(diagnostics.items, `cut at ${end}`).not.toEqual([]);
    const items = completion === null ? [] : "items" in completion ? completion.items : completion;
    if (items.length > 0) completed++;
  }
  // Where a name, a value or an expansion is being typed, something can be said; in prose there is nothing.
  expect(completed / (text.length / STEP)).toBeGreaterThan(0.3);
});
