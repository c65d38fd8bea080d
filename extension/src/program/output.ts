import type { Program, ProgramHole, TriedInput } from "@configc/language-server";
import {
  Disposable,
  type ExtensionContext,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import type { FromProgram, ToProgram } from "../messages.ts";
import { webviewPage } from "../webview-page.ts";
import type { LastRuns } from "./last-runs.ts";
import { PROGRAM_SCHEME } from "./program-files.ts";

/** Beside a program: what it gives on the last run, on samples, or on values that are made up, at each keystroke. */
export class ProgramOutputs {
  readonly #context: ExtensionContext;
  readonly #client: BaseLanguageClient;
  readonly #runs: LastRuns;
  readonly #subscriptions: Disposable;
  /** One for all: it shows the program that is written just now. */
  #panel: WebviewPanel | undefined;
  #shown: Uri | undefined;
  /** Counts what was asked, so that a late answer is known. */
  #asked = 0;

  constructor(context: ExtensionContext, client: BaseLanguageClient, runs: LastRuns) {
    this.#context = context;
    this.#client = client;
    this.#runs = runs;
    this.#subscriptions = Disposable.from(
      new Disposable(runs.onFinished(() => void this.#tellInputs())),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.toString() === this.#shown?.toString()) void this.#tellText();
      }),
      window.onDidChangeActiveTextEditor((editor) => {
        const uri = editor?.document.uri;
        if (this.#panel === undefined || uri?.scheme !== PROGRAM_SCHEME) return;
        if (uri.toString() !== this.#shown?.toString()) void this.show(uri, uri.path.slice(1));
      }),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#panel?.dispose();
  }

  async show(uri: Uri, title: string): Promise<void> {
    this.#shown = uri;
    const name = `Output of ${title.replace(/\.jq$/, "")}`;
    if (this.#panel !== undefined) {
      this.#panel.title = name;
      return await this.#tellAll();
    }
    const panel = window.createWebviewPanel("configc.program", name, {
      viewColumn: ViewColumn.Beside,
      preserveFocus: true,
    });
    this.#panel = panel;
    const { extensionUri } = this.#context;
    panel.iconPath = Uri.joinPath(extensionUri, "media/icon.png");
    panel.webview.html = webviewPage(panel.webview, extensionUri, "program", "Running …");
    panel.webview.onDidReceiveMessage(({ kind }: FromProgram) =>
      kind === "ready" ? this.#tellAll() : undefined,
    );
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#shown = undefined;
    });
  }

  async #tellAll(): Promise<void> {
    await this.#tellInputs();
    await this.#tellText();
  }

  async #tellInputs(): Promise<void> {
    const uri = this.#shown?.toString();
    if (uri === undefined) return;
    const params = { textDocument: { uri } };
    try {
      const made = await this.#client.sendRequest<TriedInput[]>("configc/programInputs", params);
      const program = await this.#client.sendRequest<Program | null>("configc/program", params);
      const run = program === null ? undefined : await this.#runs.inputOf(program.config, program.command);
      const invented = made.at(-1)?.context ?? {};
      // A run says nothing of what no step had to read.
      const last = run === undefined ? [] : [{ ...run, context: { ...invented, ...run.context } }];
      this.#tell({ kind: "inputs", inputs: [...last, ...made], chosen: 0 });
    } catch (error) {
      this.#tell({ kind: "broken", message: error instanceof Error ? error.message : String(error) });
    }
  }

  async #tellText(): Promise<void> {
    const shown = this.#shown;
    const document = workspace.textDocuments.find(({ uri }) => uri.toString() === shown?.toString());
    if (document === undefined) return;
    const asked = ++this.#asked;
    const params = { textDocument: { uri: document.uri.toString() } };
    const text = document.getText();
    try {
      const holes = await this.#client.sendRequest<ProgramHole[]>("configc/programHoles", params);
      if (asked === this.#asked) this.#tell({ kind: "text", text, holes });
    } catch (error) {
      if (asked === this.#asked)
        this.#tell({ kind: "broken", message: error instanceof Error ? error.message : String(error) });
    }
  }

  #tell(message: ToProgram): void {
    void this.#panel?.webview.postMessage(message);
  }
}
