import type {
  RanStep,
  RunInfo,
  RunStepParams,
  RunStepProgress,
  RunStepResult,
} from "@configc/language-server";
import {
  CancellationTokenSource,
  commands,
  type Memento,
  ProgressLocation,
  type TextDocument,
  window,
  workspace,
} from "vscode";
import { confirmWrites, writesOf } from "./confirm-writes.ts";
import type { Connections } from "./connections.ts";
import { chooseContext, paramsOf } from "./contexts.ts";
import { LONGEST_COMPARED } from "./keep.ts";
import { explained } from "./private-network.ts";
import type { Finished, KeptRun, Previous, Start } from "./run.ts";
import { RunValues } from "./run-values.ts";
import { isAllowed } from "./trust.ts";

/** Characters of an input that a step is given again. */
const LONGEST_INPUT = 100_000_000;

/** What a person sees of runs. */
export interface RunListener {
  /**
   * @param title what a person calls it
   * @param values of the run, as far as it has come
   */
  begun(document: TextDocument, params: RunStepParams, title: string, values: RunValues): void;
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

/** What a run takes besides the node. */
export type GivenToRun = Pick<RunStepParams, "context" | "baseUrl" | "input" | "credentials"> & {
  readonly allowPrivateNetwork: boolean;
};

/** Runs what a person asks for, one at a time in each document, and remembers what came of it. */
export class Runner {
  readonly #start: Start;
  readonly #info: (document: TextDocument, node: string) => Promise<RunInfo | null>;
  readonly #connections: Connections;
  readonly #memory: Memento;
  readonly #listeners: readonly RunListener[];
  readonly #under = new Map<string, CancellationTokenSource>();
  readonly #last = new Map<string, Previous>();
  /** Which text ran last. */
  readonly #ran = new Map<string, { readonly document: TextDocument; readonly version: number }>();
  /** The run on show: the others' values went with the next one. */
  #kept: { readonly run: KeptRun; readonly values: RunValues; readonly node: string } | undefined;

  constructor(options: {
    readonly start: Start;
    readonly info: (document: TextDocument, node: string) => Promise<RunInfo | null>;
    readonly connections: Connections;
    readonly memory: Memento;
    readonly listeners: readonly RunListener[];
  }) {
    this.#start = options.start;
    this.#info = options.info;
    this.#connections = options.connections;
    this.#memory = options.memory;
    this.#listeners = options.listeners;
  }

  /** Asks for what is missing, then runs. */
  async start(document: TextDocument, node: string, extent: "step" | "pipe"): Promise<void> {
    if (!(await isAllowed())) return;
    const info = await this.#info(document, node);
    const confirmed = await confirmWrites(document, writesOf(info?.writes ?? [], node, extent));
    if (confirmed === "cancelled") return;
    // A request that isn't sent needs nothing to authorise with.
    const known = await this.#given(document, node, info, confirmed !== "dry");
    if (known === "cancelled") return;
    const input = known.input ?? (extent === "step" ? await this.#inputOf(document, node) : undefined);
    const params: RunStepParams = {
      textDocument: { uri: document.uri.toString() },
      node,
      extent,
      ...known,
      ...(input === undefined ? {} : { input }),
      ...(confirmed === "dry" ? { dryRun: true } : {}),
    };
    await this.#run(document, params, titleOf(info?.title ?? node, params));
  }

  /**
   * The same once more, by what the config says now. It may have been closed, or changed since then: its requests are asked about again, and
   * another step that stands at the same place isn't run.
   *
   * @param title as it was when it ran
   * @throws Error for people: where there is no such step any more
   */
  async again(then: TextDocument, params: RunStepParams, title: string): Promise<void> {
    const document = await presentOf(then);
    const ran = this.#ran.get(runOf(params));
    if (ran?.document === document && ran.version === document.version)
      return await this.#run(document, params, title);
    const { node, extent = "step", dryRun } = params;
    const info = await this.#info(document, node);
    if (info === null || titleOf(info.title, params) !== title)
      throw new Error(
        `“${title}” isn't at its place any more: the config has changed. Press the lens of the step that you mean.`,
      );
    const confirmed =
      dryRun === true ? "dry" : await confirmWrites(document, writesOf(info.writes, node, extent));
    if (confirmed === "cancelled") return;
    const now = { ...params, ...(confirmed === "dry" ? { dryRun: true } : {}) };
    await this.#run(document, now, titleOf(info.title, now));
  }

  /** Asks for what is missing, for a run that stops before what it writes. */
  async given(document: TextDocument, node: string): Promise<GivenToRun | "cancelled"> {
    return await this.#given(document, node, await this.#info(document, node), true);
  }

  async #given(
    document: TextDocument,
    node: string,
    info: RunInfo | null,
    authorised: boolean,
  ): Promise<GivenToRun | "cancelled"> {
    const context = await chooseContext(document.uri, info, this.#memory);
    if (context === "cancelled") return "cancelled";
    const credentials = authorised ? await this.#connections.forRun(document, info?.auth) : undefined;
    if (credentials === "cancelled") return "cancelled";
    const settings = workspace.getConfiguration("configc.run", document.uri);
    return {
      ...paramsOf(context, node),
      ...(credentials === undefined ? {} : { credentials }),
      allowPrivateNetwork: settings.get<boolean>("allowPrivateNetwork") === true,
    };
  }

  async #run(document: TextDocument, params: RunStepParams, title: string): Promise<void> {
    if (!(await isAllowed())) return;
    const key = document.uri.toString();
    this.#under.get(key)?.cancel();
    const cancel = new CancellationTokenSource();
    this.#under.set(key, cancel);
    const node = runOf(params);
    this.#ran.set(node, { document, version: document.version });
    await this.#endKept(node);
    const steps: RanStep[] = [];
    const run = this.#start(document, params, cancel.token, (changes) => {
      values.named(changes);
      progressed(changes);
    });
    const values = new RunValues(key, run.ask);
    this.#kept = { run, values, node };
    void commands.executeCommand("setContext", "configc.running", true);
    for (const listener of this.#listeners) listener.begun(document, params, title, values);
    const progressed = (changes: RunStepProgress): void => {
      for (const { index, step } of changes.steps) steps[index] = step;
      // One that was replaced by another run has nothing to say any more.
      if (this.#under.get(key) !== cancel) return;
      for (const listener of this.#listeners) listener.progressed(document, steps, changes);
    };
    try {
      const told = await window.withProgress(
        { location: ProgressLocation.Window, title: "configc: running" },
        () => run.result,
      );
      const result = withOwnWords(told);
      values.named(result);
      const previous = this.#last.get(node);
      this.#last.set(node, { result });
      for (const listener of this.#listeners)
        listener.finished({ title, document, params, result, values, previous });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      for (const listener of this.#listeners) listener.broken(message);
    } finally {
      if (this.#under.get(key) === cancel) this.#under.delete(key);
      void commands.executeCommand("setContext", "configc.running", this.#under.size > 0);
      cancel.dispose();
    }
  }

  cancel(): void {
    for (const source of this.#under.values()) source.cancel();
  }

  dispose(): void {
    this.cancel();
    this.#kept?.run.end();
  }

  /** Before the next run begins. What it is compared with is kept. */
  async #endKept(next: string): Promise<void> {
    const kept = this.#kept;
    if (kept === undefined) return;
    this.#kept = undefined;
    const last = this.#last.get(next);
    if (kept.node === next && last?.result.failure === undefined && last !== undefined) {
      const output = await kept.values.text({ part: "output" }, "", LONGEST_COMPARED).catch(() => undefined);
      if (output !== undefined) this.#last.set(next, { ...last, output });
    }
    kept.run.end();
  }

  /**
   * What a step was given when it last ran as part of more.
   *
   * @throws Error where that is known but not kept whole: a step on half of its input would show another thing
   */
  async #inputOf(document: TextDocument, node: string): Promise<RunStepParams["input"]> {
    const key = `${document.uri.toString()}#`;
    for (const [run, { result }] of [...this.#last].reverse()) {
      if (!run.startsWith(key)) continue;
      const index = result.steps.findIndex((each) => each.node === node && each.depth > 0);
      const step = result.steps[index];
      if (step === undefined) continue;
      if (step.cuts?.some(({ pointer }) => pointer.startsWith("/input")) !== true)
        // It came as JSON.
        return step.input as NonNullable<RunStepParams["input"]>;
      const whole =
        this.#kept?.node === run
          ? await this.#kept.values
              .text({ step: index, part: "input" }, "", LONGEST_INPUT)
              .catch(() => undefined)
          : undefined;
      if (whole === undefined)
        throw new Error(
          "What this step took in the last run was too long to be kept: run the pipe to here instead.",
        );
      return JSON.parse(whole) as NonNullable<RunStepParams["input"]>;
    }
    return undefined;
  }
}

/** What is run, among all that was. */
function runOf({ textDocument, node, extent }: RunStepParams): string {
  return `${textDocument.uri}#${node}#${extent}`;
}

function titleOf(title: string, { dryRun }: RunStepParams): string {
  return dryRun === true ? `Dry run: ${title}` : title;
}

/** A document as it is now: what was closed keeps the text that it had then. @throws Error for people, where it is gone */
async function presentOf(document: TextDocument): Promise<TextDocument> {
  const { isClosed, isUntitled, uri } = document;
  if (!isClosed) return document;
  const gone = new Error(
    `${workspace.asRelativePath(uri)} isn't there any more. Open the config that you mean, and run the step there.`,
  );
  // Opening an untitled one by its name would make an empty one.
  if (isUntitled) throw gone;
  try {
    return await workspace.openTextDocument(uri);
  } catch {
    throw gone;
  }
}

/** A refusal, with what allows it in VS Code. */
function withOwnWords(result: RunStepResult): RunStepResult {
  const { failure } = result;
  if (failure?.refused !== true) return result;
  return { ...result, failure: { ...failure, message: explained(failure.message) } };
}
