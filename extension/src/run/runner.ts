import type { RunInfo, RunStepParams, RunStepResult } from "@configc/language-server";
import {
  CancellationTokenSource,
  commands,
  type Memento,
  ProgressLocation,
  type TextDocument,
  window,
  workspace,
} from "vscode";
import { chooseContext, paramsOf } from "./contexts.ts";
import type { Ask, Finished } from "./run.ts";
import type { Secrets } from "./secrets.ts";

/** What a person sees of runs. */
export interface RunListener {
  begun(document: TextDocument, params: RunStepParams): void;
  finished(run: Finished): void;
  /** It gave no result at all. */
  broken(message: string): void;
}

/** Runs what a person asks for, one at a time in each document, and remembers what came of it. */
export class Runner {
  readonly #ask: Ask;
  readonly #info: (document: TextDocument, node: string) => Promise<RunInfo | null>;
  readonly #secrets: Secrets;
  readonly #memory: Memento;
  readonly #listeners: readonly RunListener[];
  readonly #under = new Map<string, CancellationTokenSource>();
  readonly #last = new Map<string, RunStepResult>();

  constructor(options: {
    readonly ask: Ask;
    readonly info: (document: TextDocument, node: string) => Promise<RunInfo | null>;
    readonly secrets: Secrets;
    readonly memory: Memento;
    readonly listeners: readonly RunListener[];
  }) {
    this.#ask = options.ask;
    this.#info = options.info;
    this.#secrets = options.secrets;
    this.#memory = options.memory;
    this.#listeners = options.listeners;
  }

  /** Asks for what is missing, then runs. */
  async start(document: TextDocument, node: string, extent: "step" | "pipe"): Promise<void> {
    if (!(await isAllowed())) return;
    const info = await this.#info(document, node);
    const context = await chooseContext(document.uri, info, this.#memory);
    if (context === "cancelled") return;
    const credentials = await this.#secrets.forRun(document.uri, info?.auth);
    if (credentials === "cancelled") return;
    const known = paramsOf(context, node);
    const input = known.input ?? (extent === "step" ? this.#inputOf(document, node) : undefined);
    const settings = workspace.getConfiguration("configc.run", document.uri);
    await this.repeat(document, {
      textDocument: { uri: document.uri.toString() },
      node,
      extent,
      ...known,
      ...(input === undefined ? {} : { input }),
      ...(credentials === undefined ? {} : { credentials }),
      allowPrivateNetwork: settings.get<boolean>("allowPrivateNetwork") === true,
    });
  }

  /** The same once more; the document may have changed. */
  async repeat(document: TextDocument, params: RunStepParams): Promise<void> {
    if (!(await isAllowed())) return;
    const key = document.uri.toString();
    this.#under.get(key)?.cancel();
    const cancel = new CancellationTokenSource();
    this.#under.set(key, cancel);
    for (const listener of this.#listeners) listener.begun(document, params);
    try {
      const result = await window.withProgress(
        { location: ProgressLocation.Window, title: "configc: running" },
        () => this.#ask<RunStepResult>(document, "configc/runStep", params, cancel.token),
      );
      const node = `${key}#${params.node}#${params.extent}`;
      const previous = this.#last.get(node);
      this.#last.set(node, result);
      for (const listener of this.#listeners) listener.finished({ document, params, result, previous });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      for (const listener of this.#listeners) listener.broken(message);
    } finally {
      if (this.#under.get(key) === cancel) this.#under.delete(key);
      cancel.dispose();
    }
  }

  cancel(): void {
    for (const source of this.#under.values()) source.cancel();
  }

  /** What a step was given when it last ran as part of more. */
  #inputOf(document: TextDocument, node: string): RunStepParams["input"] {
    const key = `${document.uri.toString()}#`;
    for (const [run, { steps }] of [...this.#last].reverse()) {
      const step = run.startsWith(key)
        ? steps.find((each) => each.node === node && each.depth > 0)
        : undefined;
      // It came as JSON.
      if (step !== undefined) return step.input as NonNullable<RunStepParams["input"]>;
    }
    return undefined;
  }
}

/** A run sends requests in a person's name: a folder that isn't trusted has no say in where to. */
export async function isAllowed(): Promise<boolean> {
  if (workspace.isTrusted) return true;
  const trust = "Trust this workspace…";
  const chosen = await window.showWarningMessage("Configs are run in trusted workspaces only.", trust);
  if (chosen === trust) await commands.executeCommand("workbench.trust.manage");
  return false;
}
