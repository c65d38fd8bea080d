import { type ExtensionContext, Uri } from "vscode";
import { LanguageClient } from "vscode-languageclient/browser";
import { activateWith } from "./activate.ts";
import { clientOptions } from "./client-options.ts";

declare class Worker {
  constructor(url: string);
  terminate(): void;
}

let end: (() => Promise<void>) | undefined;

/** Entry in a browser: the language server is a web worker. It checks; it has no network to run anything with, and says so. */
export async function activate(context: ExtensionContext): Promise<void> {
  const worker = new Worker(Uri.joinPath(context.extensionUri, "dist/browser/server.js").toString(true));
  context.subscriptions.push({ dispose: () => worker.terminate() });
  const client = new LanguageClient("configc", "configc", worker as never, clientOptions());
  end = await activateWith(
    context,
    client,
    () => (_document, method, params, token) => client.sendRequest(method, params, token),
  );
}

export async function deactivate(): Promise<void> {
  await end?.();
}
