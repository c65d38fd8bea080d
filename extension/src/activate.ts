import type { ExtensionContext } from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { configOf, registerCommands } from "./commands.ts";
import { showGraph } from "./graph.ts";
import { insertOperation } from "./insert-operation.ts";
import { refreshLenses } from "./lenses/shown.ts";
import { offerNewConfigs } from "./new-config.ts";
import { offerConfigsFromApis } from "./new-from-api.ts";
import { offerPrograms } from "./program/index.ts";
import { showReferences } from "./references.ts";
import { offerRuns, type Runs } from "./run/index.ts";
import { offerSimulations } from "./simulate/index.ts";
import { showStatus } from "./status.ts";

/**
 * What all hosts have in common. Nothing of a config runs here: that takes a person's command and a trusted workspace.
 *
 * @param checkWorkspace checks all configs, and shows the problems
 * @returns ends what was begun
 */
export async function activateWith(
  context: ExtensionContext,
  client: BaseLanguageClient,
  runs: Runs,
  checkWorkspace: () => Promise<void>,
): Promise<() => Promise<void>> {
  showStatus(context, client);
  registerCommands(context, {
    "configc.checkWorkspace": checkWorkspace,
    "configc.restartServer": () => restart(client),
    "configc.showOutput": () => client.outputChannel.show(),
    "configc.showReferences": showReferences,
    "configc.insertOperation": () => insertOperation(client),
    "configc.showGraph": async (given) => showGraph(context, client, await configOf(given)),
  });
  offerNewConfigs(context, client);
  offerConfigsFromApis(context, client);
  refreshLenses(context, client);
  const lastRuns = offerPrograms(context, client);
  offerRuns(context, client, runs, [lastRuns]);
  offerSimulations(context, client);
  await client.start();
  return () => client.stop();
}

/** One that couldn't start can't be stopped. */
async function restart(client: BaseLanguageClient): Promise<void> {
  if (client.isRunning()) await client.stop();
  await client.start();
}
