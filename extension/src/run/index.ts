import type { InferredType, RunInfo } from "@configc/language-server";
import { type ExtensionContext, type TextDocument, Uri, window } from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { activeConfig, type Command, configOf, registerCommands } from "../commands.ts";
import { Connections } from "./connections.ts";
import { chooseContext } from "./contexts.ts";
import { InlineResults } from "./inline.ts";
import { Comparison, saveSamples, saveTest } from "./keep.ts";
import { cannotLogIn, logsInBy } from "./login.ts";
import { allowPrivate } from "./private-network.ts";
import { RunProblems } from "./problems.ts";
import { type ResultActions, ResultsView } from "./results-view.ts";
import type { Ask, Auth, Credential, Renewed, Start } from "./run.ts";
import { type GivenToRun, type RunListener, Runner } from "./runner.ts";
import { Secrets } from "./secrets.ts";
import { previewSetup } from "./setup-preview.ts";
import { targetOf } from "./target.ts";

/** What differs between the desktop and a browser. */
export interface Runs {
  /** Who runs things here. @param renewed keeps renewed credentials */
  makeRuns(renewed: (change: Renewed) => Promise<void>): { readonly ask: Ask; readonly start: Start };
  /** Whether people can log in: it takes a server on their own machine. */
  readonly logsIn: boolean;
  /** Offers what else begins runs, with what a person has chosen for them. */
  offer?(
    given: (document: TextDocument, node: string) => Promise<GivenToRun | "cancelled">,
    renewed: (config: Uri, auth: string, credential: Credential) => Promise<void>,
  ): void;
}

/**
 * Running steps: the commands of the lenses, and where their results are seen.
 *
 * @param listeners who else wants to know of runs
 */
export function offerRuns(
  context: ExtensionContext,
  client: BaseLanguageClient,
  { makeRuns, logsIn, offer }: Runs,
  listeners: readonly RunListener[],
): void {
  const secrets = new Secrets(context.secrets);
  const info: AskInfo = (document, node) =>
    client.sendRequest("configc/runInfo", { textDocument: { uri: document.uri.toString() }, node });
  const view: ResultsView = new ResultsView(
    context,
    resultActions(context, client, info, () => ({ runner, connections })),
  );
  const { ask, start } = makeRuns(({ textDocument: { uri }, auth, credential }) =>
    secrets.write(Uri.parse(uri), auth, credential),
  );
  const connections = new Connections(secrets, logsIn ? logsInBy(ask) : cannotLogIn);
  const runner = new Runner({
    start,
    info,
    connections,
    memory: context.workspaceState,
    listeners: [view, shownInEditor(context), ...listeners],
  });
  context.subscriptions.push(runner);
  offer?.(
    (document, node) => runner.given(document, node),
    (config, auth, credential) => secrets.write(config, auth, credential),
  );
  registerCommands(context, {
    ...runCommands(client, runner),
    "configc.showType": async (given) => {
      const { document, node } = await targetOf(given, "configc.showType", client);
      const params = { textDocument: { uri: document.uri.toString() }, node };
      const types = await client.sendRequest<InferredType[]>("configc/inferredType", params);
      const title = (await info(document, node))?.title ?? node;
      view.showTypes(`Types of ${title}`, types);
    },
    "configc.previewSetup": async (given) => {
      const document = await configOf(given);
      await previewSetup(context, document, { ask, connections, info: (node) => info(document, node) });
    },
    "configc.chooseContext": async () => {
      const document = activeConfig();
      await chooseContext(document.uri, await info(document, "workflows.0"), context.workspaceState, true);
    },
    ...connectionCommands(connections, secrets, info),
  });
}

/** What a run of a node takes. */
type AskInfo = (document: TextDocument, node: string) => Promise<RunInfo | null>;

/** What a person can do with results. @param made what is made after the view of them */
function resultActions(
  context: ExtensionContext,
  client: BaseLanguageClient,
  info: AskInfo,
  made: () => { readonly runner: Runner; readonly connections: Connections },
): ResultActions {
  const comparison = new Comparison(context);
  return {
    rerun: (document, params, title) => made().runner.again(document, params, title),
    cancel: () => made().runner.cancel(),
    compare: (run) => comparison.show(run),
    saveSample: (run) =>
      saveSamples(run, async ({ document, values }, present) => {
        const { http } = await values.recording();
        const textDocument = { uri: document.uri.toString() };
        return await client.sendRequest("configc/samples", { textDocument, http, present });
      }),
    saveTest,
    allowPrivate: async ({ document, params, title, result }) => {
      if (await allowPrivate(document, result.failure?.message ?? ""))
        await made().runner.again(document, { ...params, allowPrivateNetwork: true }, title);
    },
    connect: async ({ document, params, title }) => {
      const auth = (await info(document, params.node))?.auth;
      if (auth === undefined) throw new Error("This step uses no `auth`: there is nothing to connect.");
      const { runner, connections } = made();
      const credential = await connections.connect(document, auth);
      if (credential === undefined) return;
      await runner.again(document, { ...params, credentials: { [auth.name]: credential } }, title);
    },
  };
}

/** Shows runs in the editor: behind the lines, and as problems. */
function shownInEditor(context: ExtensionContext): RunListener {
  const inline = new InlineResults(context);
  const problems = new RunProblems(context);
  const versions = new WeakMap<TextDocument, number>();
  // A text that was changed during the run has other things at those places.
  const isSame = (document: TextDocument): boolean => versions.get(document) === document.version;
  return {
    begun: (document) => {
      versions.set(document, document.version);
      inline.clear(document.uri);
      problems.clear(document.uri);
    },
    progressed: (document, steps) => {
      if (isSame(document)) inline.show(document, steps, false);
    },
    finished: (run) => {
      if (!isSame(run.document)) return;
      inline.show(run.document, run.result.steps, true);
      problems.show(run);
    },
    broken: () => undefined,
  };
}

type Commands = Readonly<Record<string, Command>>;

function runCommands(client: BaseLanguageClient, runner: Runner): Commands {
  const startAt =
    (command: string, extent: "step" | "pipe"): Command =>
    async (given) => {
      const { document, node } = await targetOf(given, command, client);
      await runner.start(document, node, extent);
    };
  return {
    "configc.runStep": startAt("configc.runStep", "step"),
    "configc.runPipeTo": startAt("configc.runPipeTo", "pipe"),
    "configc.runPoll": startAt("configc.runPoll", "step"),
    "configc.cancelRun": () => runner.cancel(),
  };
}

function connectionCommands(connections: Connections, secrets: Secrets, info: AskInfo): Commands {
  const choose = async (document: TextDocument): Promise<Auth | undefined> =>
    chooseAuth((await info(document, ""))?.auths ?? []);
  return {
    "configc.connect": async () => {
      const document = activeConfig();
      const auth = await choose(document);
      if (auth !== undefined) await connections.connect(document, auth);
    },
    "configc.disconnect": async () => {
      const document = activeConfig();
      const auth = await choose(document);
      if (auth === undefined) return;
      await secrets.forget(document.uri, auth.name);
      void window.showInformationMessage(`The credentials of “${auth.name}” are forgotten.`);
    },
  };
}

async function chooseAuth(all: readonly Auth[]): Promise<Auth | undefined> {
  if (all.length === 0) throw new Error("This config has no `auth`: there is nothing to connect.");
  if (all.length === 1) return all[0];
  const items = all.map((auth) => ({ label: auth.name, description: auth.type, auth }));
  const picked = await window.showQuickPick(items, { title: "Connection", placeHolder: "Which auth entry?" });
  return picked?.auth;
}
