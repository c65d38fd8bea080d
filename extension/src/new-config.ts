import { type ExtensionContext, Position, Uri, window, workspace } from "vscode";
import { readText } from "./files.ts";

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

/** Writes a template of `configc init` into the empty config that is open, or else into one that isn't saved yet. */
export async function newConfig(context: ExtensionContext): Promise<void> {
  const chosen = await window.showQuickPick([...templates], {
    title: "New integration app config",
    placeHolder: "What does the app do?",
  });
  if (chosen === undefined) return;
  const uri = Uri.joinPath(context.extensionUri, "dist/templates", `${chosen.name}.app.json`);
  const content = await readText(uri);
  const open = window.activeTextEditor;
  if (open?.document.languageId === "appconfig" && open.document.getText().trim() === "")
    await open.edit((edit) => edit.insert(new Position(0, 0), content));
  else await window.showTextDocument(await workspace.openTextDocument({ language: "appconfig", content }));
}
