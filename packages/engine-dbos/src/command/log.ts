import type { JobReport } from "@configc/host";
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

/** What apps print. */
export function appLog(log: JsonLog): Log {
  return { write: ({ pointer, message }) => log.write("info", message, { pointer, from: "app" }) };
}

export function engineLog(log: JsonLog): EngineLog {
  const write = (level: Level) => (text: unknown) =>
    log.write(level, text instanceof Error ? text.message : String(text), { from: "engine" });
  // What is news to the engine's developers isn't to operators.
  return { debug: write("debug"), info: write("debug"), warn: write("warn"), error: write("warn") };
}

export function reportJob(log: JsonLog, { app, installation, job, result, error }: JobReport): void {
  const whose = { app, ...(installation === "" ? {} : { installation }), job };
  if (error === undefined) return log.write("info", `${job} done`, { ...whose, result });
  const { message, pointer, kind } =
    error instanceof RunError ? error : { message: String(error), pointer: undefined, kind: undefined };
  log.write("error", `${job} failed: ${message}`, { ...whose, pointer, kind });
}
