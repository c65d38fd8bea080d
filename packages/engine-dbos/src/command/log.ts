import { AsyncLocalStorage } from "node:async_hooks";
import type { JobReport, Observe, ObservedRun } from "@configc/host";
import { type Log, RunError } from "@configc/runtime";
import { DBOS } from "@dbos-inc/dbos-sdk";
import type { EngineLog } from "../engine/engine-log.ts";
import { SpanTracer, type TraceIds } from "../telemetry/spans.ts";

const levels = ["debug", "info", "warn", "error"] as const;
type Level = (typeof levels)[number];

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

/** Which run a line is of. */
interface Whose extends Pick<ObservedRun, "app" | "installation" | "job">, Partial<TraceIds> {
  /** By which `inspect` knows it. */
  readonly run?: string;
}

/** Which run goes on: what is written meanwhile is told with that. */
const running = new AsyncLocalStorage<Whose>();

export function observeLogged(observe: Observe): Observe {
  return {
    due: (app, jobs) => observe.due(app, jobs),
    received: (app, outcome) => observe.received?.(app, outcome),
    run(run, work) {
      const { app, installation, job } = run;
      const id = DBOS.workflowID;
      return observe.run(run, (trace) => {
        const ids = trace instanceof SpanTracer ? trace.ids : undefined;
        return running.run({ app, installation, job, ...(id === undefined ? {} : { run: id }), ...ids }, () =>
          work(trace),
        );
      });
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

/** Milliseconds in which a warning is written once: while the database is away the engine says the same many times a second. */
const SAME = 60_000;
/** Warnings that are remembered at most. */
const MOST = 500;

/** @param now milliseconds, of a clock that doesn't jump */
export function engineLog(log: JsonLog, now: () => number = () => performance.now()): EngineLog {
  const textOf = (text: unknown): string => (text instanceof Error ? text.message : String(text));
  const debug = (text: unknown): void => log.write("debug", textOf(text), { from: "engine" });
  const warned = new Map<string, { readonly at: number; repeated: number }>();
  const warn = (text: unknown): void => {
    const message = textOf(text);
    // Numbers of tries and seconds until the next one are another each time.
    const same = message.replace(/\d+(?:\.\d+)?/g, "0");
    const before = warned.get(same);
    if (before !== undefined && now() - before.at < SAME) {
      before.repeated++;
      return;
    }
    if (warned.size >= MOST) warned.clear();
    warned.set(same, { at: now(), repeated: 0 });
    const repeated = before?.repeated ?? 0;
    log.write("warn", message, { from: "engine", ...(repeated === 0 ? {} : { repeated }) });
  };
  // What is news to the engine's developers isn't to operators; and failed runs, which it tells as errors, are reported anyway.
  return { debug, info: debug, warn, error: (text) => (text instanceof Error ? debug : warn)(text) };
}

export function reportJob(log: JsonLog, { app, installation, job, result, error }: JobReport): void {
  const whose = { ...running.getStore(), app, ...(installation === "" ? {} : { installation }), job };
  if (error === undefined) return log.write("info", `${job} done`, { ...whose, result });
  const { message, pointer, kind } =
    error instanceof RunError ? error : { message: String(error), pointer: undefined, kind: undefined };
  log.write("error", `${job} failed: ${message}`, { ...whose, pointer, kind });
}
