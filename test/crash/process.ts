import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { WorkerArguments } from "./crash-worker.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A port that nobody uses: the service keeps it over all its processes, for its URLs are registered. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("There is no port.");
  return address.port;
}

/** Milliseconds, on a machine that is busy. */
const PATIENCE = 90_000;

/** A process of the service. */
export class Worker {
  readonly #child: ChildProcess;
  readonly ended: Promise<void>;
  readonly #said = new Map<string, () => void>();
  #output = "";
  #errors = "";

  constructor(bundle: string, given: WorkerArguments) {
    this.#child = spawn(process.execPath, [bundle, JSON.stringify(given)], { cwd: root });
    this.ended = new Promise((resolve) => this.#child.on("exit", () => resolve()));
    this.#child.stderr?.on("data", (text: Buffer) => {
      this.#errors += text;
    });
    this.#child.stdout?.on("data", (text: Buffer) => {
      this.#output += text;
      for (const [word, resolve] of this.#said) if (this.#output.includes(word)) resolve();
    });
  }

  /** Resolves when the process has said it; rejects if it ends before, or takes too long. */
  async says(word: string): Promise<void> {
    const said = new Promise<void>((resolve) => this.#said.set(word, resolve));
    if (this.#output.includes(word)) return;
    const early = this.ended.then(() => {
      if (!this.#output.includes(word)) throw new Error(`It ended before it was ${word}: ${this.#errors}`);
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`It isn't ${word} after ${PATIENCE} ms.`)), PATIENCE);
    });
    await Promise.race([said, early, late]).finally(() => clearTimeout(timer));
  }

  ask(word: string): void {
    this.#child.stdin?.write(`${word}\n`);
  }

  /** Ends it as a loss of power would, but for the disk; nothing if it has ended. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }
}
