import type { SetupAction, SetupParams, SetupResult } from "@configc/language-server";
import {
  CancellationTokenSource,
  type ExtensionContext,
  Range,
  type TextDocument,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
} from "vscode";
import { reported } from "../commands.ts";
import type { FromSetup, ToSetup } from "../messages.ts";
import { webviewPage } from "../webview-page.ts";
import { type Answers, keepAnswers } from "./contexts.ts";
import type { Ask } from "./run.ts";

/** One for each workflow: another preview of it takes its place. */
const panels = new Map<string, WebviewPanel>();

/**
 * Walks through the setup of a workflow in a panel beside its config.
 *
 * @param params of each move, without what the customer does
 * @param live whether the service itself answers
 */
export function showSetup(
  context: ExtensionContext,
  document: TextDocument,
  ask: Ask,
  params: SetupParams,
  live: boolean,
): void {
  const key = JSON.stringify([document.uri.toString(), params.workflow]);
  const before = panels.get(key);
  const panel = window.createWebviewPanel(
    "configc.setup",
    `Setup of ${params.workflow}`,
    before?.viewColumn ?? ViewColumn.Beside,
    { retainContextWhenHidden: true },
  );
  before?.dispose();
  panels.set(key, panel);
  panel.iconPath = Uri.joinPath(context.extensionUri, "media/icon.png");
  panel.webview.html = webviewPage(panel.webview, context.extensionUri, "setup", "Asking …");
  const walk = new Walk(
    (more, token) => ask<SetupResult>(document, "configc/setup", { ...params, ...more }, token),
    (message) => panel.webview.postMessage(message),
    live,
  );
  panel.webview.onDidReceiveMessage(async (message: FromSetup) => {
    switch (message.kind) {
      case "ready":
      case "refresh":
        return walk.look();
      case "restart":
        return walk.restart();
      case "keep":
        return reported(() => keepAnswers(document.uri, walk.answers, context.workspaceState));
      case "act":
        return walk.move(message.action);
      case "search":
        return walk.search(message.field, message.term);
      case "reveal": {
        const selection = new Range(message.line, 0, message.line, 0);
        await window.showTextDocument(document, { selection, viewColumn: ViewColumn.One });
      }
    }
    return undefined;
  });
  panel.onDidDispose(() => {
    walk.end();
    if (panels.get(key) === panel) panels.delete(key);
  });
}

type Move = Pick<SetupParams, "draft" | "action" | "searches">;

/**
 * A customer's way through a setup. What they do is done in its order, each on what came before: a field that is left by
 * pressing a button is answered first. Only the last move is shown, and a look is given up for whatever comes next.
 */
class Walk {
  readonly #ask: (move: Move, token: CancellationTokenSource["token"]) => Promise<SetupResult>;
  readonly #tell: (message: ToSetup) => Thenable<unknown>;
  readonly #live: boolean;
  #draft: unknown;
  #answers: Answers = {};
  #searches: NonNullable<SetupParams["searches"]> = {};
  #moves: Promise<unknown> = Promise.resolve();
  readonly #under = new Set<CancellationTokenSource>();
  #look: CancellationTokenSource | undefined;
  #last: CancellationTokenSource | undefined;

  constructor(
    ask: (move: Move, token: CancellationTokenSource["token"]) => Promise<SetupResult>,
    tell: (message: ToSetup) => Thenable<unknown>,
    live: boolean,
  ) {
    this.#ask = ask;
    this.#tell = tell;
    this.#live = live;
  }

  /** What was filled in, as it was shown last. */
  get answers(): Answers {
    return this.#answers;
  }

  look(): void {
    this.#look = this.#begin();
  }

  search(field: string, term: string): void {
    this.#searches = { ...this.#searches, [field]: term };
    this.look();
  }

  move(action: SetupAction): void {
    this.#begin(action);
  }

  restart(): void {
    this.end();
    this.#draft = undefined;
    this.#answers = {};
    this.#searches = {};
    this.look();
  }

  end(): void {
    for (const each of this.#under) each.cancel();
  }

  #begin(action?: SetupAction): CancellationTokenSource {
    this.#look?.cancel();
    const own = new CancellationTokenSource();
    this.#under.add(own);
    this.#last = own;
    void this.#tell({ kind: "waiting" });
    this.#moves = this.#moves.then(() => this.#make(own, action));
    return own;
  }

  async #make(own: CancellationTokenSource, action: SetupAction | undefined): Promise<void> {
    const { token } = own;
    const searches = this.#searches;
    try {
      if (token.isCancellationRequested) return;
      const result = await this.#ask(
        {
          searches,
          ...(this.#draft === undefined ? {} : { draft: this.#draft }),
          ...(action === undefined ? {} : { action }),
        },
        token,
      );
      if (token.isCancellationRequested) return;
      this.#draft = result.draft;
      this.#answers = answersIn(result) ?? this.#answers;
      const keepable = Object.keys(this.#answers).length > 0;
      if (own === this.#last)
        await this.#tell({ kind: "setup", result, searches, live: this.#live, keepable });
    } catch (error) {
      if (token.isCancellationRequested || own !== this.#last) return;
      await this.#tell({ kind: "broken", message: error instanceof Error ? error.message : String(error) });
    } finally {
      this.#under.delete(own);
      own.dispose();
    }
  }
}

/** @returns undefined where the form isn't on show */
function answersIn({ view: { current } }: SetupResult): Answers | undefined {
  if (current.step !== "select") return undefined;
  const given = current.fields.filter(({ value }) => value !== undefined);
  return Object.fromEntries(
    given.map(({ id, type, value, display }) => [
      id,
      type === "dropdown" || type === "multiselect" ? { value, display } : { value },
    ]),
  );
}
