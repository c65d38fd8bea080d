import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { WorkerArguments } from "./app.ts";
import { APART } from "./clocks.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Versions of the worker: the second one needs a newer schema. */
const versions = ["chaos-worker", "next-worker"] as const;
type Version = (typeof versions)[number];

/** Milliseconds in which a worker that is asked to end has to. */
const DRAIN = 30_000;

export function bundleWorkers(): void {
  for (const version of versions) {
    const { status, stderr } = spawnSync(process.execPath, ["scripts/ts.mjs", `test/chaos/${version}.ts`], {
      cwd: root,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`The worker can't be bundled: ${stderr}`);
  }
}

const bundleOf = (version: Version): string => `${root}node_modules/.cache/configc/${version}.mjs`;

/** Workers as processes of their own. One that ends by itself is started again, as an orchestrator would. */
export class Fleet {
  readonly #given: Omit<WorkerArguments, "slot" | "ahead">;
  /** Of those that are started from now on. */
  #version: Version = "chaos-worker";
  readonly #workers: number;
  readonly #running = new Map<string, ChildProcess>();
  /** What workers complained of. */
  readonly said: string[] = [];
  #closed = false;

  constructor(workers: number, given: Omit<WorkerArguments, "slot" | "ahead">) {
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
    const ahead = [0, APART, -APART][Number(slot.replace(/\D/g, "")) % 3] ?? 0;
    const given: WorkerArguments = { ...this.#given, slot, ahead };
    const child = spawn(process.execPath, [bundleOf(this.#version), JSON.stringify(given)], {
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

  get isUpgraded(): boolean {
    return this.#version === "next-worker";
  }

  /**
   * The next version comes: the schema first, while all are at work, and then one worker after the other. What ends meanwhile comes back as the next
   * version.
   */
  async upgrade(progress: (text: string) => void): Promise<void> {
    const begun = Date.now();
    await new Promise<void>((done, fail) => {
      const child = spawn(process.execPath, [bundleOf("next-worker"), "migrate", this.#given.database], {
        cwd: root,
        stdio: ["ignore", "ignore", "pipe"],
      });
      let said = "";
      child.stderr?.on("data", (text: Buffer) => {
        said += text;
      });
      child.on("exit", (status) =>
        status === 0 ? done() : fail(new Error(`The migration ended with ${status}: ${said}`)),
      );
    });
    progress(`migrated in ${Date.now() - begun} ms`);
    this.#version = "next-worker";
    for (let number = 0; number < this.#workers; number++) {
      const slot = `slot-${number}`;
      const child = this.#running.get(slot);
      // Also one that stands still, or hangs, has to go.
      if (isAlive(child)) {
        const ended = new Promise((done) => child.once("exit", done));
        const patience = setTimeout(() => child.kill("SIGKILL"), DRAIN);
        child.kill("SIGTERM");
        await ended;
        clearTimeout(patience);
      }
      this.start(slot);
      progress(`${slot} is of the next version`);
    }
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
