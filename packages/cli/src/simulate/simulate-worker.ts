import { parentPort, workerData } from "node:worker_threads";
import type { App } from "@configc/compiler";
import { type Progress, type Report, type SimulateOptions, simulate } from "@configc/simulate";
import { processorTime } from "./processor-time.ts";

/** What the thread is given. */
export interface SimulateJob {
  readonly app: App;
  readonly options: Omit<SimulateOptions, "now" | "signal" | "onProgress">;
}

/** What it tells. */
export type FromSimulation = { readonly progress: Progress } | { readonly report: Report };

/** Entry of a thread: a simulation is one long computation, and is ended with its thread. */
export async function simulateInThread(): Promise<void> {
  const { app, options } = workerData as SimulateJob;
  const tell = (message: FromSimulation): void => parentPort?.postMessage(message);
  tell({
    report: await simulate(app, {
      ...options,
      now: processorTime(false),
      onProgress: (progress) => tell({ progress }),
    }),
  });
}
