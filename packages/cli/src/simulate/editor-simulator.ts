import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Simulator } from "@configc/language-server";
import type { Report } from "@configc/simulate";
import { pathOf } from "../files/uri.ts";
import { readWorldFileBeside } from "./read-world-file.ts";
import type { FromSimulation, SimulateJob } from "./simulate-worker.ts";

/** Simulates in a thread, so that the server goes on answering; a thread can be ended at any time. */
export const editorSimulator: Simulator = async ({ app, uri, only, given, onProgress, signal }) => {
  signal.throwIfAborted();
  const path = pathOf(uri);
  const world = path === undefined ? undefined : readWorldFileBeside(path, app);
  const workerData: SimulateJob = {
    app,
    options: { ...given, only, ...(world === undefined ? {} : { world }) },
  };
  const worker = new Worker(new URL("./simulate-worker.cjs", import.meta.url), { workerData });
  const report = new Promise<Report>((resolve) => {
    worker.on("message", (message: FromSimulation) =>
      "report" in message ? resolve(message.report) : onProgress(message.progress),
    );
  });
  const failed = once(worker, "error").then(([error]) => Promise.reject(error));
  const cancelled = once(signal, "abort").then(() => Promise.reject(new Error("Cancelled.")));
  // Of the others only the first counts.
  for (const each of [failed, cancelled]) each.catch(() => undefined);
  try {
    return await Promise.race([report, failed, cancelled]);
  } finally {
    await worker.terminate();
  }
};
