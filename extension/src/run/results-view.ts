import type { InferredType, RanStep, RunStepParams, RunStepProgress } from "@configc/language-server";
import {
  CancellationTokenSource,
  commands,
  type ExtensionContext,
  type TextDocument,
  type WebviewView,
  type WebviewViewProvider,
  window,
} from "vscode";
import { ChangesSince } from "../changes-since.ts";
import { reported } from "../commands.ts";
import type { FromPanel, Question, ToPanel } from "../messages.ts";
import { webviewPage } from "../webview-page.ts";
import { copyCurl, copyText, copyValue } from "./copy.ts";
import type { Finished } from "./run.ts";
import type { RunValues } from "./run-values.ts";
import type { RunListener } from "./runner.ts";

const VIEW = "configc.results";

/** What the buttons of the panel do. */
export interface ResultActions {
  rerun(document: TextDocument, params: RunStepParams, title: string): Promise<void>;
  cancel(): void;
  compare(run: Finished): Promise<void>;
  saveSample(run: Finished): Promise<void>;
  saveTest(run: Finished): Promise<void>;
  /** Lets requests reach this machine and private networks, then runs again. */
  allowPrivate(run: Finished): Promise<void>;
  /** To the account whose credentials weren't taken. */
  connect(run: Finished): Promise<void>;
}

/** The panel with the results of the last run. */
export class ResultsView implements WebviewViewProvider, RunListener {
  readonly #context: ExtensionContext;
  readonly #actions: ResultActions;
  #view: WebviewView | undefined;
  #message: ToPanel | undefined;
  /** Of the run that is under way, or of the last one. */
  #steps: readonly RanStep[] = [];
  #asked:
    | { readonly document: TextDocument; readonly params: RunStepParams; readonly title: string }
    | undefined;
  /** Since that run began. */
  #changes: ChangesSince | undefined;
  #values: RunValues | undefined;
  /** One text at a time is looked for. */
  #finding: CancellationTokenSource | undefined;
  #last: Finished | undefined;

  constructor(context: ExtensionContext, actions: ResultActions) {
    this.#context = context;
    this.#actions = actions;
    context.subscriptions.push(window.registerWebviewViewProvider(VIEW, this), {
      dispose: () => this.#changes?.dispose(),
    });
  }

  resolveWebviewView(view: WebviewView): void {
    this.#view = view;
    view.webview.html = webviewPage(
      view.webview,
      this.#context.extensionUri,
      "results",
      "Press “Run step” above a command to see what it gives.",
    );
    view.webview.onDidReceiveMessage((message: FromPanel) => reported(() => this.#receive(message)));
    view.onDidDispose(() => {
      this.#view = undefined;
    });
  }

  begun(document: TextDocument, params: RunStepParams, title: string, values: RunValues): void {
    this.#asked = { document, params, title };
    this.#changes?.dispose();
    this.#changes = new ChangesSince(document);
    this.#values = values;
    this.#steps = [];
    this.#show({ kind: "running", title });
  }

  progressed(_document: TextDocument, steps: readonly RanStep[], changes: RunStepProgress): void {
    this.#steps = steps;
    void this.#view?.webview.postMessage({ kind: "progress", ...changes } satisfies ToPanel);
  }

  finished(run: Finished): void {
    this.#last = run;
    const { title, result, previous } = run;
    this.#steps = result.steps;
    this.#show({ kind: "result", title, result, comparable: previous !== undefined });
  }

  broken(message: string): void {
    this.#show({ kind: "broken", message });
  }

  showTypes(title: string, types: readonly InferredType[]): void {
    this.#show({ kind: "types", title, types });
  }

  #show(message: ToPanel): void {
    this.#message = message;
    if (this.#view === undefined) void commands.executeCommand(`${VIEW}.focus`, { preserveFocus: true });
    else {
      this.#view.show(true);
      void this.#view.webview.postMessage(message);
    }
  }

  async #receive(message: FromPanel): Promise<void> {
    switch (message.kind) {
      case "ready":
        if (this.#message === undefined) return;
        await this.#view?.webview.postMessage(this.#message);
        if (this.#message.kind === "running") {
          const steps = this.#steps.map((step, index) => ({ index, step }));
          await this.#view?.webview.postMessage({ kind: "progress", steps } satisfies ToPanel);
        }
        return;
      case "rerun":
        if (this.#asked !== undefined) {
          const { document, params, title } = this.#asked;
          await this.#actions.rerun(document, params, title);
        }
        return;
      case "cancel":
        this.#actions.cancel();
        return;
      case "copy":
        return await copyText(message.text);
      case "copyValue":
        return await copyValue(this.#kept(), message.part, message.pointer);
      case "copyCurl":
        return await copyCurl(this.#kept(), this.#steps, message.exchanges);
      case "ask":
        return await this.#answer(message.id, message);
      case "reveal": {
        const step = this.#steps[message.step];
        if (this.#asked !== undefined && step !== undefined) await this.#reveal(this.#asked.document, step);
        return;
      }
      default:
        if (this.#last !== undefined) await this.#actions[message.kind](this.#last);
    }
  }

  async #answer(id: number, question: Question): Promise<void> {
    const answer = await this.#find(question).then(
      (value) => ({ value }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    await this.#view?.webview.postMessage({ kind: "answer", id, ...answer } satisfies ToPanel);
  }

  async #find(question: Question): Promise<unknown> {
    const values = this.#kept();
    switch (question.ask) {
      case "value":
        return await values.value(question.part, question.pointer, question.from, question.count);
      case "text":
        return await values.text(question.part, "", question.most);
      case "find": {
        this.#finding?.cancel();
        const finding = new CancellationTokenSource();
        this.#finding = finding;
        try {
          return await values.find(question.part, question.text, finding.token);
        } finally {
          finding.dispose();
          if (this.#finding === finding) this.#finding = undefined;
        }
      }
    }
  }

  async #reveal({ uri }: TextDocument, { range }: RanStep): Promise<void> {
    if (range === undefined) return;
    const selection = this.#changes?.now(range);
    // A step that was written anew isn't anywhere: its config is.
    await window.showTextDocument(uri, selection === undefined ? {} : { selection });
  }

  #kept(): RunValues {
    if (this.#values === undefined) throw new Error("Nothing ran yet.");
    return this.#values;
  }
}
