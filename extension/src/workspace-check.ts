import { commands, type ExtensionContext, ProgressLocation, window, workspace } from "vscode";
import type { CancellationToken, DiagnosticProviderMiddleware } from "vscode-languageclient";

type Pull = NonNullable<DiagnosticProviderMiddleware["provideWorkspaceDiagnostics"]>;

/**
 * The findings of all configs, which the client asks the server for from its start on. That takes a while in a large workspace, so it
 * begins when somebody wants them, or at the start if the settings say so; from then on they follow the files.
 */
export class WorkspaceCheck {
  #begin = (): void => undefined;
  readonly #wanted = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });
  #arrived = (): void => undefined;
  readonly #first = new Promise<void>((resolve) => {
    this.#arrived = resolve;
  });
  readonly #checked = new Set<string>();

  constructor(context: ExtensionContext) {
    const beginIfSet = (): void => {
      if (workspace.getConfiguration("configc").get("checkWorkspace") === true) this.#begin();
    };
    beginIfSet();
    context.subscriptions.push(workspace.onDidChangeConfiguration(beginIfSet));
  }

  readonly pull: Pull = async (known, token, report, next) => {
    await Promise.race([this.#wanted, cancelled(token)]);
    if (token.isCancellationRequested) return { items: [] };
    return await next(known, token, (chunk) => {
      for (const { uri } of chunk?.items ?? []) this.#checked.add(uri.toString());
      report(chunk);
      this.#arrived();
    });
  };

  /** Checks every config of the workspace, open or not, and shows the problems. */
  async show(): Promise<void> {
    this.#begin();
    const title = "configc: checking all configs";
    await window.withProgress(
      { location: ProgressLocation.Notification, title, cancellable: true },
      (_, token) => Promise.race([this.#first, cancelled(token)]),
    );
    await commands.executeCommand("workbench.panel.markers.view.focus");
    const count = this.#checked.size;
    window.setStatusBarMessage(`configc: ${count} ${count === 1 ? "config" : "configs"} checked`, 5_000);
  }
}

function cancelled(token: CancellationToken): Promise<void> {
  return new Promise((resolve) => {
    token.onCancellationRequested(() => resolve());
  });
}
