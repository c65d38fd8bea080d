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
  /** What it said that nobody has waited for yet. */
  #lines: string[] = [];
  #rest = "";
  #errors = "";
  #heard = (): void => undefined;

  constructor(bundle: string, given: WorkerArguments) {
    this.#child = spawn(process.execPath, [bundle, JSON.stringify(given)], { cwd: root });
    this.ended = new Promise((resolve) => this.#child.on("close", () => resolve()));
    this.#child.stderr?.on("data", (text: Buffer) => {
      this.#errors += text;
    });
    this.#child.stdout?.on("data", (text: Buffer) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop() ?? "";
      this.#lines.push(...lines);
      this.#heard();
    });
  }

  /**
   * Waits for a line that begins with one of these words.
   *
   * @returns the first such line; it isn't given again
   * @throws Error if the process ends before, or takes too long
   */
  async says(...words: readonly string[]): Promise<string> {
    const found = (): string | undefined => {
      const at = this.#lines.findIndex((line) => words.some((word) => line.startsWith(word)));
      return at < 0 ? undefined : this.#lines.splice(0, at + 1)[at];
    };
    const said = new Promise<string>((resolve) => {
      this.#heard = () => {
        const line = found();
        if (line === undefined) return;
        this.#heard = () => undefined;
        resolve(line);
      };
      this.#heard();
    });
    const what = words.join(" or ");
    const early = this.ended.then(() => {
      throw new Error(`It ended before it said ${what}: ${this.#errors}`);
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`It hasn't said ${what} after ${PATIENCE} ms.`)), PATIENCE);
    });
    return await Promise.race([said, early, late]).finally(() => clearTimeout(timer));
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
