import { AsyncLocalStorage } from "node:async_hooks";
import type { JobReport, Observe, ObservedRun } from "@configc/host";
import { type Log, RunError } from "@configc/runtime";
import type { EngineLog } from "../engine/dbos-engine.ts";

const levels = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof levels)[number];

/** One line of JSON an entry, with `time`, `level` and `message`. */
export interface JsonLog {
  write(level: Level, message: string, more?: Readonly<Record<string, unknown>>): void;
}

export function jsonLog(least: Level, line: (text: string) => void): JsonLog {
  return {
    write(level, message, more = {}) {
      if (levels.indexOf(level) < levels.indexOf(least)) return;
      line(JSON.stringify({ time: new Date().toISOString(), level, message, ...more }));
    },
  };
}

export function levelOf(text: string | undefined): Level {
  return levels.find((level) => level === text?.toLowerCase()) ?? "info";
}

/** Whose run goes on: what an app prints is told with that. */
const running = new AsyncLocalStorage<Pick<ObservedRun, "app" | "installation" | "job">>();

export function observeLogged(observe: Observe): Observe {
  return {
    due: (app, jobs) => observe.due(app, jobs),
    run(run, work) {
      const { app, installation, job } = run;
      return running.run({ app, installation, job }, () => observe.run(run, work));
    },
  };
}

/** What apps print. */
export function appLog(log: JsonLog): Log {
  return {
    write: ({ pointer, message }) =>
      log.write("info", message, { ...running.getStore(), pointer, from: "app" }),
  };
}

export function engineLog(log: JsonLog): EngineLog {
  const write = (level: Level) => (text: unknown) =>
    log.write(level, text instanceof Error ? text.message : String(text), { from: "engine" });
  const [debug, warn] = [write("debug"), write("warn")];
  // What is news to the engine's developers isn't to operators; and failed runs, which it tells as errors, are reported anyway.
  return { debug, info: debug, warn, error: (text) => (text instanceof Error ? debug : warn)(text) };
}

export function reportJob(log: JsonLog, { app, installation, job, result, error }: JobReport): void {
  const whose = { app, ...(installation === "" ? {} : { installation }), job };
  if (error === undefined) return log.write("info", `${job} done`, { ...whose, result });
  const { message, pointer, kind } =
    error instanceof RunError ? error : { message: String(error), pointer: undefined, kind: undefined };
  log.write("error", `${job} failed: ${message}`, { ...whose, pointer, kind });
}
