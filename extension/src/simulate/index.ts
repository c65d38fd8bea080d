import type { SimulateProgress, SimulateResult } from "@configc/language-server";
import {
  CancellationTokenSource,
  type ExtensionContext,
  ProgressLocation,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from "vscode";
import { type BaseLanguageClient, ProgressType } from "vscode-languageclient";
import { configOf, registerCommands, reported } from "../commands.ts";
import { rangeOf } from "../files.ts";
import type { FromSimulation, ToSimulation } from "../messages.ts";
import { addTest } from "../run/keep.ts";
import { isLensTarget, type Target } from "../run/target.ts";
import { webviewPage } from "../webview-page.ts";
import { simulateOnSave } from "./on-save.ts";
import { SimulationProblems } from "./problems.ts";

const progressType = new ProgressType<SimulateProgress>();

/** The lens “Simulate” and its command: an app against a simulated service, and what is lost there. */
export function offerSimulations(context: ExtensionContext, client: BaseLanguageClient): void {
  const problems = new SimulationProblems(context);
  const simulations = new Simulations(context, client, problems);
  simulateOnSave(context, client, problems);
  registerCommands(context, {
    "configc.simulate": async (given) => {
      // The palette means the whole document.
      if (!isLensTarget(given)) return await simulations.start({ document: await configOf(given), node: "" });
      const document = await workspace.openTextDocument(Uri.parse(given.uri));
      await simulations.start({ document, node: given.pointer });
    },
  });
}

class Simulations {
  readonly #context: ExtensionContext;
  readonly #client: BaseLanguageClient;
  readonly #problems: SimulationProblems;
  #panel: WebviewPanel | undefined;
  #message: ToSimulation | undefined;
  #asked: Target | undefined;
  #result: SimulateResult | undefined;
  #cancel: CancellationTokenSource | undefined;
  #count = 0;

  constructor(context: ExtensionContext, client: BaseLanguageClient, problems: SimulationProblems) {
    this.#context = context;
    this.#client = client;
    this.#problems = problems;
    context.subscriptions.push(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const message = this.#message;
        if (document !== this.#asked?.document || contentChanges.length === 0) return;
        if (message?.kind === "result" && !message.isOld) this.#tell({ ...message, isOld: true });
      }),
    );
  }

  /** One at a time: it takes a processor of its own. */
  async start(target: Target): Promise<void> {
    this.#cancel?.cancel();
    const cancel = new CancellationTokenSource();
    this.#cancel = cancel;
    this.#asked = target;
    this.#result = undefined;
    const { document, node } = target;
    const title = nameOf(target);
    this.#problems.clear(document);
    this.#show();
    this.#tell({ kind: "running", title });
    const token = `simulate ${++this.#count}`;
    const told = this.#client.onProgress(progressType, token, (progress) => {
      if (this.#cancel === cancel) this.#tell({ kind: "running", title, progress });
    });
    const params = {
      textDocument: { uri: document.uri.toString() },
      ...(node === "" ? {} : { node }),
      partialResultToken: token,
    };
    try {
      const result = await window.withProgress(
        { location: ProgressLocation.Window, title: "configc: simulating" },
        () => this.#client.sendRequest<SimulateResult>("configc/simulate", params, cancel.token),
      );
      if (this.#cancel !== cancel) return;
      this.#result = result;
      this.#problems.show(document, result);
      const isOld = document.version !== result.version;
      this.#tell({ kind: "result", title, report: result.report, told: result.told, isOld });
    } catch (error) {
      if (this.#cancel !== cancel) return;
      const message = error instanceof Error ? error.message : String(error);
      this.#tell({ kind: "broken", message: cancel.token.isCancellationRequested ? "Stopped." : message });
    } finally {
      told.dispose();
      cancel.dispose();
    }
  }

  #show(): void {
    if (this.#panel !== undefined) return this.#panel.reveal(undefined, true);
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    const panel = window.createWebviewPanel("configc.simulation", "Simulation", column);
    this.#panel = panel;
    panel.iconPath = Uri.joinPath(this.#context.extensionUri, "media/icon.png");
    panel.webview.html = webviewPage(panel.webview, this.#context.extensionUri, "simulation", "Simulating …");
    panel.webview.onDidReceiveMessage((message: FromSimulation) => reported(() => this.#receive(message)));
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#cancel?.cancel();
    });
  }

  #tell(message: ToSimulation): void {
    this.#message = message;
    void this.#panel?.webview.postMessage(message);
  }

  async #receive(message: FromSimulation): Promise<void> {
    switch (message.kind) {
      case "ready":
        if (this.#message !== undefined) await this.#panel?.webview.postMessage(this.#message);
        return;
      case "rerun":
        if (this.#asked !== undefined) await this.start(this.#asked);
        return;
      case "cancel":
        return this.#cancel?.cancel();
    }
    const [asked, result] = [this.#asked, this.#result];
    const failure = result?.report.parts[message.part]?.failures[message.failure];
    if (asked === undefined || result === undefined || failure === undefined) return;
    const { document } = asked;
    if (message.kind === "reveal") {
      const range = result.ranges[failure.pointer];
      if (range === undefined) return;
      const { start } = rangeOf(range);
      await window.showTextDocument(document, {
        selection: document.lineAt(Math.min(start.line, document.lineCount - 1)).range.with(start),
        viewColumn: ViewColumn.One,
      });
      return;
    }
    const test = result.testCases[message.part]?.[message.failure];
    if (test !== undefined) await addTest(document.uri, test.name, { run: test.run, world: test.world });
  }
}

/** What a person calls it: the name at the pointer's own place, or the file's. */
function nameOf({ document, node }: Target): string {
  const file = document.uri.path.split("/").pop() ?? "";
  if (node === "") return file;
  return `${file}, ${node.split("/")[1] === "workflows" ? "workflow" : "intake"} ${Number(node.split("/")[2]) + 1}`;
}
