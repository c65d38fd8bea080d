import type { SimulateResult } from "@configc/language-server";
import {
  CancellationTokenSource,
  DiagnosticSeverity,
  type ExtensionContext,
  languages,
  type TextDocument,
  type Uri,
  workspace,
} from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { besideConfig } from "../files.ts";
import type { SimulationProblems } from "./problems.ts";

/** Milliseconds of a processor: enough for the worlds that are always tried of most apps. */
const TIME = 3_000;
/** Milliseconds after which it is given up: an app with hundreds of workflows takes longer than that for the worlds that are always tried. */
const LONGEST = 20_000;

/**
 * Simulates a config's service each time that it is saved (`configc.simulate.onSave`), and shows as problems what breaks where the service is
 * nothing special. What takes something of the service stays for who asks: by the lens they see what it rests on.
 */
export function simulateOnSave(
  context: ExtensionContext,
  client: BaseLanguageClient,
  problems: SimulationProblems,
): void {
  const running = new Map<TextDocument, CancellationTokenSource>();
  const stop = (document: TextDocument): void => running.get(document)?.cancel();
  const simulate = async (document: TextDocument): Promise<void> => {
    stop(document);
    const cancel = new CancellationTokenSource();
    running.set(document, cancel);
    const end = setTimeout(() => cancel.cancel(), LONGEST);
    const params = { textDocument: { uri: document.uri.toString() }, time: TIME };
    try {
      if (!(await isWanted(document)) || cancel.token.isCancellationRequested) return;
      const result = await client.sendRequest<SimulateResult>("configc/simulate", params, cancel.token);
      problems.show(document, result, ({ needs }) => needs.length === 0);
    } catch {
      // Nobody asked for it: where a server can't simulate, or was told to stop, there is nothing to say.
    } finally {
      clearTimeout(end);
      if (running.get(document) === cancel) running.delete(document);
      cancel.dispose();
    }
  };
  context.subscriptions.push(
    workspace.onDidSaveTextDocument(simulate),
    workspace.onDidCloseTextDocument(stop),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) stop(document);
    }),
  );
}

async function isWanted(document: TextDocument): Promise<boolean> {
  if (document.languageId !== "appconfig" || !workspace.isTrusted) return false;
  const when = workspace.getConfiguration("configc", document).get<string>("simulate.onSave");
  if (when !== "always" && (when !== "withWorldFile" || !(await hasWorldFile(document.uri)))) return false;
  // An app with errors breaks laws because of them.
  return !languages
    .getDiagnostics(document.uri)
    .some(({ severity, source }) => severity === DiagnosticSeverity.Error && source === "configc");
}

async function hasWorldFile(config: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(besideConfig(config, "world"));
    return true;
  } catch {
    return false;
  }
}
