import { parentPort, workerData } from "node:worker_threads";
import type { CacheEntries } from "../cache/cache-file.ts";
import type { Source } from "../files/source.ts";
import { SettingsFinder } from "../settings/finder.ts";
import { parseSettings } from "../settings/validate.ts";
import { compilerLoaded } from "./baseline-code.ts";
import { FileChecker } from "./file-checker.ts";
import { KnownResults } from "./known-results.ts";
import type { LoadCompiler } from "./load-compiler.ts";
import type { CheckOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { taskOptions } from "./task-options.ts";

/** What a thread is given. */
export interface CheckJob {
  readonly sources: readonly Source[];
  /** Shared: the next file that nobody has taken, and how many threads are still loading the compiler. */
  readonly counters: Int32Array;
  readonly options: Pick<CheckOptions, "settings" | "levels" | "outputs" | "fix">;
  /** Whether findings of earlier runs count. */
  readonly cache: boolean;
}

/** What a thread tells, once for some files. */
export interface FromCheckThread {
  readonly outcomes: readonly (readonly [index: number, Outcome])[];
  readonly notes: readonly (readonly [index: number, text: string])[];
  /** What is to be kept for later runs. */
  readonly known: CacheEntries;
}

/** Files that are told of together. */
const TOLD_TOGETHER = 16;

/** Entry of a thread of `check`. It reads settings, and what is known, by itself: both are the same as on the thread that has started it. */
export async function checkInThread(load: LoadCompiler): Promise<void> {
  const { sources, counters, options, cache } = workerData as CheckJob;
  compilerLoaded(counters);
  const { settings, levels } = options;
  const known = cache ? KnownResults.open() : undefined;
  let index = 0;
  let outcomes: [number, Outcome][] = [];
  let notes: [number, string][] = [];
  const checker = new FileChecker(
    new SettingsFinder(settings, levels, parseSettings),
    { ...taskOptions(options), levels },
    known,
    load,
    (text) => notes.push([index, text]),
  );
  const tell = () => {
    const message: FromCheckThread = { outcomes, notes, known: known?.takeUsed() ?? [] };
    parentPort?.postMessage(message);
    outcomes = [];
    notes = [];
  };
  for (;;) {
    index = Atomics.add(counters, 0, 1);
    if (index >= sources.length) break;
    outcomes.push([index, await checker.check(sources[index]!)]);
    if (outcomes.length === TOLD_TOGETHER) tell();
  }
  tell();
}
