import { expect, test } from "vitest";
import type {
  Diagnostic,
  ProtocolConnection,
  PublishDiagnosticsParams,
  Range,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { appWith } from "../../../test/bench/generate.ts";
import { clientOf } from "./support/in-process.ts";

/** Edits come as ranges, each of which the server answers with what it would say of the whole text. */

/** What is typed in place of what, in a text that the document has. */
const edits: readonly (readonly [what: string, before: string, after: string])[] = [
  ["a character in a label", "Import submissions 7-1", "Import xsubmissions 7-1"],
  ["a name that others refer to", '"customers.7-1"', '"customers.x7-1"'],
  ["a quote deleted", '"label": "Form"', '"label": "Form'],
  ["and typed again", '"label": "Form', '"label": "Form"'],
  ["an expansion of no field", "${custom_data.form-7-2", "${custom_data.farm-7-2"],
  [
    "a member without its name",
    '"name": "acme-import-submissions-7-3"',
    '"nam": "acme-import-submissions-7-3"',
  ],
];

test("after each edit, the diagnostics are those of the text opened afresh", async () => {
  const client = await clientOf({});
  const published: PublishDiagnosticsParams[] = [];
  client.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
    published.push(params);
  });
  const diagnosticsOf = async (uri: string, version: number): Promise<readonly Diagnostic[]> => {
    const isIt = (params: PublishDiagnosticsParams) => params.uri === uri && params.version === version;
    await expect.poll(() => published.some(isIt)).toBe(true);
    return published.find(isIt)!.diagnostics;
  };
  const document = TextDocument.create("untitled:edited.app.json", "appconfig", 1, appWith(4));
  await open(client, document.uri, document.getText());
  await diagnosticsOf(document.uri, 1);

  for (const [index, [what, before, text]] of edits.entries()) {
    const at = document.getText().indexOf(before);
    expect(at, what).toBeGreaterThan(0);
    const range: Range = { start: document.positionAt(at), end: document.positionAt(at + before.length) };
    const version = index + 2;
    TextDocument.update(document, [{ range, text }], version);
    await client.sendNotification("textDocument/didChange", {
      textDocument: { uri: document.uri, version },
      contentChanges: [{ range, text }],
    });
    const fresh = `untitled:fresh-${index}.app.json`;
    await open(client, fresh, document.getText());
    const found = await diagnosticsOf(document.uri, version);
    const wanted = await diagnosticsOf(fresh, 1);
    const comparable = (all: readonly Diagnostic[], uri: string) =>
      JSON.parse(JSON.stringify(all).replaceAll(uri, "the document")) as unknown;
    expect(comparable(found, document.uri), what).toEqual(comparable(wanted, fresh));
  }
  client.dispose();
});

async function open(client: ProtocolConnection, uri: string, text: string): Promise<void> {
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text },
  });
}
