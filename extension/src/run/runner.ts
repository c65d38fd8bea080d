import type {
  RanStep,
  RunInfo,
  RunStepParams,
  RunStepProgress,
  RunStepResult,
} from "@configc/language-server";
import {
  CancellationTokenSource,
  type Memento,
  ProgressLocation,
  type TextDocument,
  window,
  workspace,
} from "vscode";
import type { Connections } from "./connections.ts";
import { chooseContext, paramsOf } from "./contexts.ts";
import type { Ask, Finished } from "./run.ts";
import { isAllowed } from "./trust.ts";

/** What a person sees of runs. */
export interface RunListener {
  /** @param title what a person calls it */
  begun(document: TextDocument, params: RunStepParams, title: string): void;
  /**
   * It goes on.
   *
   * @param steps all that it has come to
   * @param changes of these since the last time
   */
  progressed(document: TextDocument, steps: readonly RanStep[], changes: RunStepProgress): void;
  finished(run: Finished): void;
  /** It gave no result at all. */
  broken(message: string): void;
}

/** Runs what a person asks for, one at a time in each document, and remembers what came of it. */
export class Runner {
  readonly #ask: Ask;
  readonly #info: (document: TextDocument, node: string) => Promise<RunInfo | null>;
  readonly #connections: Connections;
  readonly #memory: Memento;
  readonly #listeners: readonly RunListener[];
  readonly #under = new Map<string, CancellationTokenSource>();
  readonly #last = new Map<string, RunStepResult>();

  constructor(options: {
    readonly ask: Ask;
    readonly info: (document: TextDocument, node: string) => Promise<RunInfo | null>;
    readonly connections: Connections;
    readonly memory: Memento;
    readonly listeners: readonly RunListener[];
  }) {
    this.#ask = options.ask;
    this.#info = options.info;
    this.#connections = options.connections;
    this.#memory = options.memory;
    this.#listeners = options.listeners;
  }

  /** Asks for what is missing, then runs. */
  async start(document: TextDocument, node: string, extent: "step" | "pipe"): Promise<void> {
    if (!(await isAllowed())) return;
    const info = await this.#info(document, node);
    const context = await chooseContext(document.uri, info, this.#memory);
    if (context === "cancelled") return;
    const credentials = await this.#connections.forRun(document, info?.auth);
    if (credentials === "cancelled") return;
    const known = paramsOf(context, node);
    const input = known.input ?? (extent === "step" ? this.#inputOf(document, node) : undefined);
    const settings = workspace.getConfiguration("configc.run", document.uri);
    const params: RunStepParams = {
      textDocument: { uri: document.uri.toString() },
      node,
      extent,
      ...known,
      ...(input === undefined ? {} : { input }),
      ...(credentials === undefined ? {} : { credentials }),
      allowPrivateNetwork: settings.get<boolean>("allowPrivateNetwork") === true,
    };
    await this.repeat(document, params, info?.title ?? node);
  }

  /** The same once more; the document may have changed. */
  async repeat(document: TextDocument, params: RunStepParams, title: string): Promise<void> {
    if (!(await isAllowed())) return;
    const key = document.uri.toString();
    this.#under.get(key)?.cancel();
    const cancel = new CancellationTokenSource();
    this.#under.set(key, cancel);
    for (const listener of this.#listeners) listener.begun(document, params, title);
    const steps: RanStep[] = [];
    const progressed = (changes: RunStepProgress): void => {
      for (const { index, step } of changes.steps) steps[index] = step;
      // One that was replaced by another run has nothing to say any more.
      if (this.#under.get(key) !== cancel) return;
      for (const listener of this.#listeners) listener.progressed(document, steps, changes);
    };
    try {
      const result = await window.withProgress(
        { location: ProgressLocation.Window, title: "configc: running" },
        () => this.#ask<RunStepResult>(document, "configc/runStep", params, cancel.token, progressed),
      );
      const node = `${key}#${params.node}#${params.extent}`;
      const previous = this.#last.get(node);
      this.#last.set(node, result);
      for (const listener of this.#listeners)
        listener.finished({ title, document, params, result, previous });
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
