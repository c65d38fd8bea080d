import {
  CodeLens,
  type ExtensionContext,
  Range,
  SnippetString,
  type TextDocument,
  type TextEditor,
  Uri,
  window,
  workspace,
} from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { registerCommands } from "./commands.ts";
import { readText, writeText } from "./files.ts";
import { registerLenses } from "./lenses/lasting.ts";
import { shownLenses } from "./lenses/shown.ts";

const templates = [
  { label: "Outbound", detail: "Contacts go out to another service", name: "outbound" },
  { label: "Inbound, by webhook", detail: "Another service sends what changes", name: "inbound-webhook" },
  {
    label: "Inbound, by polling",
    detail: "Another service is asked what has changed",
    name: "inbound-polling",
  },
  { label: "Historical sync", detail: "First what there is, then what changes", name: "historical-sync" },
] as const;

/** Configs to begin with: by a command, and as lenses above a document that has nothing yet. */
export function offerNewConfigs(context: ExtensionContext, client: BaseLanguageClient): void {
  registerCommands(context, {
    "configc.newConfig": (given) => newConfig(context, client, given),
    "configc.beginWith": async (uri, name) => {
      const document = await workspace.openTextDocument(uri as Uri);
      if (isEmpty(document)) await fill(context, client, await window.showTextDocument(document), `${name}`);
    },
  });
  registerLenses(context, "appconfig", (document) => shownLenses(document, async () => beginnings(document)));
}

function isEmpty(document: TextDocument): boolean {
  return document.getText().trim() === "";
}

function beginnings(document: TextDocument): CodeLens[] {
  if (!isEmpty(document)) return [];
  return templates.map(
    ({ label, detail, name }, index) =>
      new CodeLens(new Range(0, 0, 0, 0), {
        title: index === 0 ? `Begin with: ${label}` : label,
        tooltip: detail,
        command: "configc.beginWith",
        arguments: [document.uri, name],
      }),
  );
}

/**
 * Writes a template of `configc init` into a new file of the folder that was chosen in the explorer, into the empty config that is open,
 * or else into one that isn't saved yet.
 */
async function newConfig(
  context: ExtensionContext,
  client: BaseLanguageClient,
  folder: unknown,
): Promise<void> {
  const chosen = await window.showQuickPick([...templates], {
    title: "New integration app config",
    placeHolder: "What does the app do?",
  });
  if (chosen === undefined) return;
  const editor = await editorIn(folder);
  if (editor === undefined) return;
  await fill(context, client, editor, chosen.name);
  if (folder instanceof Uri) await editor.document.save();
}

/** An empty config; `undefined` where a person doesn't say what it is called. */
async function editorIn(folder: unknown): Promise<TextEditor | undefined> {
  if (folder instanceof Uri) {
    const file = await createIn(folder);
    return file && (await window.showTextDocument(file));
  }
  const open = window.activeTextEditor;
  if (open?.document.languageId === "appconfig" && isEmpty(open.document)) return open;
  return await window.showTextDocument(await workspace.openTextDocument({ language: "appconfig" }));
}

async function createIn(folder: Uri): Promise<Uri | undefined> {
  const name = await window.showInputBox({
    title: "New integration app config",
    prompt: "Its name, without .app.json",
    validateInput: (text) => (/^[^/\\]+$/.test(text) ? undefined : "A name without slashes."),
  });
  if (name === undefined) return undefined;
  const file = Uri.joinPath(folder, `${name.replace(/\.app\.json$/, "")}.app.json`);
  const isThere = await Promise.resolve(workspace.fs.stat(file)).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error(`${workspace.asRelativePath(file)} already exists.`);
  await writeText(file, "");
  return file;
}

/** As a snippet: the service is called after the file, and who writes its name once more has it everywhere. */
async function fill(
  context: ExtensionContext,
  client: BaseLanguageClient,
  editor: TextEditor,
  name: string,
): Promise<void> {
  const { document } = editor;
  const text = (await snippetOf(client, document, name)) ?? escaped(await templateText(context, name));
  const all = new Range(0, 0, document.lineCount, 0);
  await editor.insertSnippet(new SnippetString(text), all);
}

interface Offered {
  readonly label: string;
  readonly textEdit?: { readonly newText: string };
}

/** The server calls it after the file. One in a browser has no templates. */
async function snippetOf(
  client: BaseLanguageClient,
  document: TextDocument,
  name: string,
): Promise<string | undefined> {
  if (!client.isRunning()) return undefined;
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  const params = { textDocument: { uri }, position: { line: 0, character: 0 } };
  const list = await client.sendRequest<{ readonly items: readonly Offered[] } | null>(
    "textDocument/completion",
    params,
  );
  return list?.items.find(({ label }) => label === name)?.textEdit?.newText;
}

function templateText({ extensionUri }: ExtensionContext, name: string): Promise<string> {
  return readText(Uri.joinPath(extensionUri, "dist/templates", `${name}.app.json`));
}

function escaped(text: string): string {
  return text.replace(/[\\$}]/g, "\\$&");
}
