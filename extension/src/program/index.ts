import type { Program } from "@configc/language-server";
import { type ExtensionContext, Uri, ViewColumn, window, workspace } from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { activeConfig, registerCommands } from "../commands.ts";
import type { RunListener } from "../run/runner.ts";
import { isLensTarget } from "../run/target.ts";
import { LastRuns } from "./last-runs.ts";
import { ProgramOutputs } from "./output.ts";
import { PROGRAM_SCHEME, ProgramFiles } from "./program-files.ts";

/**
 * “Edit jq”: a program in a tab of its own, with its output beside it.
 *
 * @returns what has to be told of runs, so that programs can be tried on what they were given
 */
export function offerPrograms(context: ExtensionContext, client: BaseLanguageClient): RunListener {
  const runs = new LastRuns();
  const files = new ProgramFiles(client);
  const outputs = new ProgramOutputs(context, client, runs);
  context.subscriptions.push(
    files,
    outputs,
    workspace.registerFileSystemProvider(PROGRAM_SCHEME, files, { isCaseSensitive: true }),
  );
  const open = async (program: Program): Promise<void> => {
    const document = await workspace.openTextDocument(Uri.parse(program.uri));
    await window.showTextDocument(document, { preview: false, viewColumn: ViewColumn.Active });
    await outputs.show(document.uri, program.title);
  };
  registerCommands(context, {
    "configc.editJq": async (given) => {
      const config = isLensTarget(given)
        ? await workspace.openTextDocument(Uri.parse(given.uri))
        : activeConfig();
      const place = isLensTarget(given)
        ? { node: given.pointer }
        : { position: window.activeTextEditor?.selection.active };
      const params = { textDocument: { uri: config.uri.toString() }, ...place };
      const program = await client.sendRequest<Program | null>("configc/program", params);
      if (program === null) throw new Error("There is no jq program at the cursor: put it into one.");
      await open(program);
    },
    "configc.showJqOutput": async () => {
      const uri = window.activeTextEditor?.document.uri;
      if (uri?.scheme !== PROGRAM_SCHEME) throw new Error("Open a jq program first, by “Edit jq”.");
      await outputs.show(uri, uri.path.slice(1));
    },
  });
  return runs;
}
