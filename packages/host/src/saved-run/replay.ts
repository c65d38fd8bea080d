import type { App } from "@configc/compiler";
import {
  type Effects,
  type Log,
  portableEffects,
  type RateLimits,
  type TraceEvent,
  type TraceListener,
} from "@configc/runtime";
import { replay } from "../recording/index.ts";
import { repeatCancellation } from "./cancellation.ts";
import { type Departure, departureOf } from "./departure.ts";
import { digestOf } from "./digest.ts";
import { type FinishedRun, saveRun } from "./save.ts";
import type { SavedRun } from "./saved-run.ts";
import { VERSION } from "./version.ts";

/** What running a saved run again takes. */
export interface ReplayRunOptions {
  readonly log?: Log;
  readonly signal?: AbortSignal;
  /** Is told each event of the run. */
  readonly onEvent?: TraceListener;
}

/** A saved run that was run again. */
export interface ReplayedRun extends FinishedRun {
  /** Undefined: it is the same run, and `saved` is the same file. */
  readonly departure: Departure | undefined;
  /** What isn't as it was when the run was saved, for people; then it may depart, and mostly for that. */
  readonly changes: readonly string[];
}

/**
 * Runs a saved run again, without network, time or chance: everything that it asks is answered from the file. A run that departs from the
 * file goes on as far as it is answered.
 *
 * Not in the file, so that they may make a run depart: secrets (steps that count or cut their letters), tokens that another process
 * renewed meanwhile, and the time that a jq program took, where that ended it.
 *
 * @param app the config that was run
 * @param saved `isSavedRun`
 */
export async function replayRun(
  app: App,
  saved: SavedRun,
  { log, signal, onEvent }: ReplayRunOptions = {},
): Promise<ReplayedRun> {
  const { heard, node, given, cancelled } = saved;
  let events = 0;
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  let effects: Effects = portableEffects({ ...replay(heard).effects, ...(log === undefined ? {} : { log }) });
  if (cancelled !== undefined) effects = repeatCancellation(effects, cancelled, controller);
  try {
    const finished = await saveRun(app, node, given, {
      effects,
      signal: controller.signal,
      onEvent: (event, ...more) => {
        events++;
        onEvent?.(event, ...more);
      },
      ...(given.quotas === "host" ? { rateLimits: repeatedWaits(saved.trace, () => events) } : {}),
    });
    return {
      ...finished,
      departure: departureOf(saved, finished.saved),
      changes: await changesSince(app, saved),
    };
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

/** A host's run waited for the requests of other runs, which are in no file: here it waits again where it waited. */
function repeatedWaits(trace: readonly TraceEvent[], events: () => number): RateLimits {
  return {
    async acquire(_key, _quota, { onWait }) {
      for (let at = events(), wait = waitOf(trace[at]); wait !== undefined; wait = waitOf(trace[++at]))
        onWait(wait);
      return () => undefined;
    },
  };
}

/** Milliseconds, if the event is a wait for a quota. */
function waitOf(event: TraceEvent | undefined): number | undefined {
  return event?.kind === "wait" && event.data.reason === "rate limit" ? event.data.milliseconds : undefined;
}

/** What isn't as it was when a run was saved, for people: the config, or the version of configc. */
export async function changesSince(app: App, { configc, config }: SavedRun): Promise<string[]> {
  const changes: string[] = [];
  if ((await digestOf(app)) !== config) changes.push("The config isn't the one that was run then.");
  if (configc !== VERSION) changes.push(`It was saved by configc ${configc}; this is ${VERSION}.`);
  return changes;
}
