import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Source } from "../files/source.ts";
import { compilerLoaded } from "./baseline-code.ts";
import type { CheckJob, FromCheckThread } from "./check-thread.ts";
import type { KnownResults } from "./known-results.ts";
import type { CheckOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import type { SampleNotes } from "./sample-notes.ts";

/** Beyond so many, threads take more memory than time is won. */
const MOST_THREADS = 8;
/** With fewer files for each, a thread takes longer to load the compiler and to warm up than it saves. */
const FILES_FOR_A_THREAD = 10;
const entry = fileURLToPath(new URL("../bin/check-thread.js", import.meta.url));

/** Threads that check files beside this one. All of them, and this one, take the next file from one counter. */
export class CheckThreads {
  private readonly sources: readonly Source[];
  private readonly options: CheckOptions;
  private readonly known: KnownResults | undefined;
  private readonly notes: SampleNotes;
  private readonly progress: (count: number) => void;
  /** The next file that nobody has taken, and how many threads are still loading the compiler. */
  private readonly counters = new Int32Array(new SharedArrayBuffer(8));
  private readonly found = new Map<number, Outcome>();
  private running: Promise<void>[] = [];

  constructor(
    sources: readonly Source[],
    options: CheckOptions,
    known: KnownResults | undefined,
    notes: SampleNotes,
    progress: (count: number) => void,
  ) {
    this.sources = sources;
    this.options = options;
    this.known = known;
    this.notes = notes;
    this.progress = progress;
  }

  /** The index of the next file that nobody has taken; from the number of files on, there is none. */
  next(): number {
    return Atomics.add(this.counters, 0, 1);
  }

  /**
   * Starts as many as were asked for, or as there are cores for, and no more than pays. Files that are written to are checked
   * one by one.
   *
   * @param files how many may have to be checked
   * @returns whether there are any: then `loaded` is to be called
   */
  start(files: number): boolean {
    const { jobs: wanted = Math.min(cores(), MOST_THREADS), fix } = this.options;
    const jobs = Math.min(wanted, Math.floor(files / FILES_FOR_A_THREAD));
    if (fix !== "no" || jobs <= 1 || !existsSync(entry)) return false;
    this.notes.wait();
    this.counters[1] = jobs;
    const { settings, levels, outputs, cache } = this.options;
    const workerData: CheckJob = {
      sources: this.sources,
      counters: this.counters,
      options: { settings, levels, outputs, fix },
      cache: cache && this.known !== undefined,
    };
    this.running = Array.from({ length: jobs - 1 }, () => this.run(new Worker(entry, { workerData })));
    // A failure is told by `outcomes`, when the files of this thread are done.
    for (const each of this.running) each.catch(() => undefined);
    return true;
  }

  /** This thread has loaded the compiler. */
  loaded(): void {
    compilerLoaded(this.counters);
  }

  /** Waits for all threads, and puts what they have found where it belongs. */
  async outcomes(all: Outcome[]): Promise<void> {
    await Promise.all(this.running);
    for (const [index, outcome] of this.found) all[index] = outcome;
  }

  private run(worker: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      worker.on("message", (message: FromCheckThread) => {
        for (const [index, outcome] of message.outcomes) this.found.set(index, outcome);
        for (const [index, text] of message.notes) this.notes.tell(index, text);
        this.known?.use(message.known);
        this.progress(message.outcomes.length);
      });
      worker.on("error", reject);
      worker.on("exit", (status) =>
        status === 0 ? resolve() : reject(new Error(`A thread of the check ended with ${status}.`)),
      );
    });
  }
}

/** Cores that this process may use: in a container, what its group is given. */
function cores(): number {
  try {
    const [quota, period] = readFileSync("/sys/fs/cgroup/cpu.max", "utf8").split(" ").map(Number);
    if (quota! > 0) return Math.min(availableParallelism(), Math.max(1, Math.round(quota! / period!)));
  } catch {
    // Another system, or no group.
  }
  return availableParallelism();
}
