import { type ExtensionContext, Position, Uri, window, workspace } from "vscode";
import { readText, writeText } from "./files.ts";

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

/**
 * Writes a template of `configc init` into a new file of the folder that was chosen in the explorer, into the empty config that is open,
 * or else into one that isn't saved yet.
 */
export async function newConfig(context: ExtensionContext, folder: unknown): Promise<void> {
  const chosen = await window.showQuickPick([...templates], {
    title: "New integration app config",
    placeHolder: "What does the app do?",
  });
  if (chosen === undefined) return;
  const uri = Uri.joinPath(context.extensionUri, "dist/templates", `${chosen.name}.app.json`);
  const content = await readText(uri);
  if (folder instanceof Uri) return await createIn(folder, content);
  const open = window.activeTextEditor;
  if (open?.document.languageId === "appconfig" && open.document.getText().trim() === "")
    await open.edit((edit) => edit.insert(new Position(0, 0), content));
  else await window.showTextDocument(await workspace.openTextDocument({ language: "appconfig", content }));
}

async function createIn(folder: Uri, content: string): Promise<void> {
  const name = await window.showInputBox({
    title: "New integration app config",
    prompt: "Its name, without .app.json",
    validateInput: (text) => (/^[^/\\]+$/.test(text) ? undefined : "A name without slashes."),
  });
  if (name === undefined) return;
  const file = Uri.joinPath(folder, `${name.replace(/\.app\.json$/, "")}.app.json`);
  const isThere = await Promise.resolve(workspace.fs.stat(file)).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error(`${workspace.asRelativePath(file)} already exists.`);
  await writeText(file, content);
  await window.showTextDocument(file);
}
