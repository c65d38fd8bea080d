import { type ExtensionContext, Uri, window, workspace } from "vscode";
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

/** Opens a config that isn't saved yet, made from a template of `configc init`. */
export async function newConfig(context: ExtensionContext): Promise<void> {
  const chosen = await window.showQuickPick([...templates], {
    title: "New integration app config",
    placeHolder: "What does the app do?",
  });
  if (chosen === undefined) return;
  const uri = Uri.joinPath(context.extensionUri, "dist/templates", `${chosen.name}.app.json`);
  const content = await readText(uri);
  await window.showTextDocument(await workspace.openTextDocument({ language: "appconfig", content }));
}
