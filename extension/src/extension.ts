import type { ExtensionContext } from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

/** Starts the language server over Node IPC. Opening a config never runs a command or sends a request. */
export async function activate(context: ExtensionContext): Promise<void> {
  const module = context.asAbsolutePath("dist/server.cjs");
  const run = { module, transport: TransportKind.ipc };
  client = new LanguageClient(
    "configc",
    "configc",
    { run, debug: run },
    { documentSelector: [{ language: "appconfig" }] },
  );
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
