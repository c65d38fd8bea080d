import { type ExtensionContext, Uri, workspace } from "vscode";
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient } from "vscode-languageclient/browser";
import { activateWith } from "./activate.ts";
import { checkWorkspace } from "./check-workspace.ts";
import { clientOptions } from "./client-options.ts";

declare class Worker {
  constructor(url: string);
  terminate(): void;
}

/** A server without files knows of open documents alone. */
const noFiles = async () => ({ items: [] });

let end: (() => Promise<void>) | undefined;

/** Entry in a browser: the language server is a web worker. It checks; it has no network to run anything with, and says so. */
export async function activate(context: ExtensionContext): Promise<void> {
  // By its text: where the extension itself came from a remote machine, its address is none for a worker.
  const text = await workspace.fs.readFile(Uri.joinPath(context.extensionUri, "dist/browser/server.js"));
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  let worker: Worker | undefined;
  // A server that was shut down can't begin again: each start gets one of its own.
  const start = async () => {
    worker?.terminate();
    worker = new Worker(url);
    // As messages: the host's workers may be of a class of its own, which the client doesn't know.
    return {
      reader: new BrowserMessageReader(worker as never),
      writer: new BrowserMessageWriter(worker as never),
    };
  };
  context.subscriptions.push({ dispose: () => worker?.terminate() });
  const options = clientOptions(context, noFiles, () => client);
  const client: LanguageClient = new LanguageClient("configc", "configc", start, options);
  end = await activateWith(
    context,
    client,
    {
      makeRuns: () => ({
        ask: (_document, method, params, token) => client.sendRequest(method, params, token),
        start: (_document, params, token) => ({
          result: client.sendRequest("configc/runStep", { ...params, keep: true }, token),
          ask: (method, values) => client.sendRequest(method, values),
          end: () => undefined,
        }),
      }),
      logsIn: false,
    },
    () => checkWorkspace(context, client),
  );
}

export async function deactivate(): Promise<void> {
  await end?.();
}
