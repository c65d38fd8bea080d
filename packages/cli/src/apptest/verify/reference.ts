import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { UsageError } from "../../command-line/usage-error.ts";

/** What jq itself gave: its first output as text, nothing, or the text of its error. */
export type ReferenceResult = { readonly output: string | undefined } | { readonly error: string };

/** The version that stands behind D23. Others may differ from it. */
const PACKAGE = "jq-wasm@3.0.0-jq-1.8.2";

/** A program that takes longer isn't compared. */
const MILLISECONDS = 10_000;

/** jq-wasm in a thread of its own: a program that doesn't end is ended with its thread, and an abort ends only the instance. */
export class Reference {
  private readonly path: string;
  private worker: Worker | undefined;

  /** @throws UsageError if the package isn't installed */
  constructor() {
    this.path = findPackage();
  }

  /** @returns undefined if jq didn't end or gave up: nothing to compare with */
  async run(program: string, input: string, signal: AbortSignal): Promise<ReferenceResult | undefined> {
    const worker = this.worker ?? (await this.start());
    worker.postMessage({ program, input });
    try {
      const either = AbortSignal.any([AbortSignal.timeout(MILLISECONDS), signal]);
      const [answer] = (await once(worker, "message", { signal: either })) as [
        { readonly stdout: string; readonly stderr: string } | { readonly aborted: string },
      ];
      if ("aborted" in answer) return undefined;
      const [output] = answer.stdout.split("\n");
      if (answer.stderr !== "" && (output === undefined || output === ""))
        return { error: answer.stderr.trim() };
      return { output: output === "" ? undefined : output };
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
    const worker = new Worker(WORKER, { eval: true, workerData: this.path });
    await once(worker, "message");
    this.worker = worker;
    return worker;
  }
}

/** From the folder one is in, as the project's own dependency; else beside the command. */
function findPackage(): string {
  for (const from of [join(process.cwd(), "package.json"), import.meta.url]) {
    try {
      return createRequire(from).resolve("jq-wasm");
    } catch {
      // Perhaps from the other place.
    }
  }
  throw new UsageError(
    `--verify compares with jq itself, which isn't installed: npm install --save-dev ${PACKAGE}`,
    "test",
  );
}

/** As text, because the command is one file: a worker's own would have to be found beside it. */
const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const { loadJq } = require(workerData);
loadJq().then((first) => {
  let jq = first;
  parentPort.on("message", async ({ program, input }) => {
    try {
      const { stdout, stderr } = jq.raw(input, program, ["-c"]);
      parentPort.postMessage({ stdout, stderr });
    } catch (error) {
      jq = await loadJq();
      parentPort.postMessage({ aborted: String(error) });
    }
  });
  parentPort.postMessage("ready");
});
`;
