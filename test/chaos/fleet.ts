import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { WorkerArguments } from "./app.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export function bundleWorker(): void {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/ts.mjs", "test/chaos/chaos-worker.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The worker can't be bundled: ${stderr}`);
}

/** Workers as processes of their own. One that ends by itself is started again, as an orchestrator would. */
export class Fleet {
  readonly #given: Omit<WorkerArguments, "slot">;
  readonly #workers: number;
  readonly #running = new Map<string, ChildProcess>();
  /** What workers complained of. */
  readonly said: string[] = [];
  #closed = false;

  constructor(workers: number, given: Omit<WorkerArguments, "slot">) {
    this.#workers = workers;
    this.#given = given;
  }

  /** Name of a place in the fleet. @param at from 0 to 1 */
  slot(at: number): string {
    return `slot-${Math.floor(at * this.#workers)}`;
  }

  startAll(): void {
    for (let number = 0; number < this.#workers; number++) this.start(`slot-${number}`);
  }

  /** Nothing if there is one: it would come back twice. */
  start(slot: string): void {
    if (this.#closed || isAlive(this.#running.get(slot))) return;
    const bundle = `${root}node_modules/.cache/configc/chaos-worker.mjs`;
    const child = spawn(process.execPath, [bundle, JSON.stringify({ ...this.#given, slot })], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text: Buffer) => {
        this.said.push(...`${text}`.trim().split("\n"));
        if (this.said.length > 2_000) this.said.splice(0, 1_000);
      });
    child.on("exit", (status) => {
      if (status === null || this.#closed) return;
      this.said.push(`${slot} ended by itself with ${status}`);
      setTimeout(() => {
        if (this.#running.get(slot) === child) this.start(slot);
      }, 500).unref();
    });
    this.#running.set(slot, child);
  }

  /** @returns false if there is none in that place */
  kill(slot: string): boolean {
    const child = this.#running.get(slot);
    this.#running.delete(slot);
    return isAlive(child) && child.kill("SIGKILL");
  }

  /** Lets a worker stand still. @returns lets it go on; undefined if there is none in that place */
  stop(slot: string): (() => void) | undefined {
    const child = this.#running.get(slot);
    if (!isAlive(child) || !child.kill("SIGSTOP")) return undefined;
    return () => void child.kill("SIGCONT");
  }

  killAll(): void {
    for (const slot of [...this.#running.keys()]) this.kill(slot);
  }

  close(): void {
    this.#closed = true;
    this.killAll();
  }
}

function isAlive(worker: ChildProcess | undefined): worker is ChildProcess {
  return worker !== undefined && worker.exitCode === null && worker.signalCode === null;
}
