import type {
  RunFindResult,
  RunPart,
  RunRecordingResult,
  RunStepResult,
  RunValueResult,
} from "@configc/language-server";
import type { CancellationToken } from "vscode";

/** Asks whoever keeps a run. */
export type AskKept = <Result>(
  method: "configc/runValue" | "configc/runText" | "configc/runFind" | "configc/runRecording",
  params: object,
  token?: CancellationToken,
) => Promise<Result>;

/** The values of a run, of which its result has only the beginnings. */
export class RunValues {
  readonly #uri: string;
  readonly #ask: AskKept;
  #run: number | undefined;

  constructor(uri: string, ask: AskKept) {
    this.#uri = uri;
    this.#ask = ask;
  }

  /** What the run is called by whoever keeps it: known when it tells of its first step. */
  named({ run }: Pick<RunStepResult, "run">): void {
    this.#run = run;
  }

  /** A part of what is at a place. */
  value(part: RunPart, pointer: string, from: number, count: number): Promise<RunValueResult> {
    return this.#send("configc/runValue", { ...part, pointer, from, count });
  }

  /**
   * What is at a place, as JSON text.
   *
   * @param most characters that there is room for: what is longer is refused
   */
  async text(part: RunPart, pointer: string, most: number): Promise<string> {
    const { text } = await this.#send<{ readonly text: string }>("configc/runText", {
      ...part,
      pointer,
      most,
    });
    return text;
  }

  find(part: RunPart, text: string, token: CancellationToken): Promise<RunFindResult> {
    return this.#send("configc/runFind", { ...part, text }, token);
  }

  /** Output and traffic, whole. */
  recording(): Promise<RunRecordingResult> {
    return this.#send("configc/runRecording", {});
  }

  #send<Result>(method: Parameters<AskKept>[0], params: object, token?: CancellationToken): Promise<Result> {
    return this.#ask(method, { textDocument: { uri: this.#uri }, run: this.#run, ...params }, token);
  }
}
