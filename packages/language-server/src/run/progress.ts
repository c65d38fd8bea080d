import { type Connection, ProgressType } from "vscode-languageserver";
import type { RunStepParams, RunStepProgress } from "./protocol.ts";
import type { StepLog } from "./steps.ts";

/** Milliseconds: more often than this nobody can see, and a poll of many pages has thousands of events. */
const INTERVAL = 100;
const progress = new ProgressType<RunStepProgress>();

/** Tells a client of steps while they run, if it wants to know. */
export class ProgressReport {
  readonly #send: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param kept what the run's values are asked for by, if they are kept */
  constructor(
    connection: Connection,
    token: RunStepParams["partialResultToken"],
    log: StepLog,
    kept: Pick<RunStepProgress, "run">,
  ) {
    if (token === undefined) return;
    this.#send = () => void connection.sendProgress(progress, token, { ...kept, steps: log.takeChanged() });
  }

  /** Something happened. */
  touch(): void {
    if (this.#send === undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#send?.();
    }, INTERVAL);
  }

  /** What hasn't been told is in the result. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
