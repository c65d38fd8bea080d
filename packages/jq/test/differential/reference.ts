import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** What jq gave: the lines of its outputs, and the text of the error that ended it. */
export interface ReferenceResult {
  readonly outputs: readonly string[];
  readonly error: string | undefined;
}

/** jq-wasm in a thread. A program that doesn't end is ended with its thread. */
export class Reference {
  private readonly patience: number;
  private worker: Worker | undefined;

  /** @param patience milliseconds after which a program is taken for one that doesn't end */
  constructor(patience = 2_000) {
    this.patience = patience;
  }

  /** Undefined if jq didn't end, ran out of memory, or refuses the program. */
  async run(program: string, input: string): Promise<ReferenceResult | undefined> {
    const worker = this.worker ?? (await this.start());
    worker.postMessage({ program, input });
    const timeout = AbortSignal.timeout(this.patience);
    try {
      const [answer] = (await once(worker, "message", { signal: timeout })) as [
        { stdout: string; stderr: string } | { aborted: string },
      ];
      if ("aborted" in answer || answer.stderr.includes("compile error")) return undefined;
      const error = /^jq: error(?: \(at [^)]*\))?:? ?(.*)/s.exec(answer.stderr)?.[1];
      return { outputs: answer.stdout.split("\n").filter(Boolean), error: error?.trimEnd() };
    } catch {
      await this.end();
      return undefined;
    }
  }

  async end(): Promise<void> {
    await this.worker?.terminate();
    this.worker = undefined;
  }

  private async start(): Promise<Worker> {
    this.worker = new Worker(new URL("./reference-worker.js", import.meta.url));
    await once(this.worker, "message");
    return this.worker;
  }
}
