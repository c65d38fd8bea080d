import type { ExtensionContext } from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { activateWith } from "./activate.ts";
import { clientOptions } from "./client-options.ts";
import { debugCase, offerDebugging } from "./debug/index.ts";
import { runsInProcess } from "./run/run-process.ts";
import { offerTests } from "./tests/explorer.ts";
import { testsInProcess } from "./tests/run-tests.ts";
import { WorkspaceCheck } from "./workspace-check.ts";

let end: (() => Promise<void>) | undefined;

/** Entry on a desktop: the language server is a process of its own, the same program as `configc lsp --stdio`. */
export async function activate(context: ExtensionContext): Promise<void> {
  const module = context.asAbsolutePath("dist/server.cjs");
  const run = { module, transport: TransportKind.stdio };
  const check = new WorkspaceCheck(context);
  const options = clientOptions(context, check.pull, () => client);
  const client: LanguageClient = new LanguageClient("configc", "configc", { run, debug: run }, options);
  offerTests(context, testsInProcess(module), debugCase);
  end = await activateWith(
    context,
    client,
    {
      makeRuns: (renewed) => runsInProcess(module, renewed),
      logsIn: true,
      offer: (given, renewed) => offerDebugging(context, client, { module, given, renewed }),
    },
    () => check.show(),
  );
}

export async function deactivate(): Promise<void> {
  await end?.();
}
