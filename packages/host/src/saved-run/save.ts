import type { App } from "@configc/compiler";
import {
  createRuntime,
  createTracer,
  type Effects,
  type Json,
  type RateLimits,
  RunError,
  type SavedData,
  type TraceEvent,
  type TraceListener,
  type Tracer,
} from "@configc/runtime";
import { redactedValue, runNode } from "@configc/runtime/internal";
import { record } from "../recording/index.ts";
import type { Redact } from "../recording/redact.ts";
import { noteCancellation } from "./cancellation.ts";
import { digestOf } from "./digest.ts";
import type { GivenToRun, SavedOutcome, SavedRun } from "./saved-run.ts";
import { VERSION } from "./version.ts";

/** What saving a run takes. */
export interface SaveRunOptions {
  /** What the run does to the world, really. */
  readonly effects: Effects;
  /** What `!save` writes to; what is in it before stands in the file, instead of `context.data`. By default that, for this run. */
  readonly saved?: SavedData;
  readonly signal?: AbortSignal;
  /** Is told each event of the run. */
  readonly onEvent?: TraceListener;
  /** Who counts its requests. Default: they are counted for this run alone. */
  readonly rateLimits?: RateLimits;
}

/** How a run ended, and its file. */
export interface FinishedRun {
  readonly saved: SavedRun;
  readonly outcome: { readonly output: Json } | { readonly error: unknown };
}

/**
 * Runs a command, a cycle of a polling intake or the pipeline of a workflow, and gives the run as a file too: also one that failed
 * or was cancelled. It has a runtime of its own, since quotas and tokens of other runs would be in no file.
 *
 * @param node JSON Pointer
 * @param given all that decides the run; `context` has the state before it
 */
export async function saveRun(
  app: App,
  node: string,
  given: GivenToRun,
  { effects, saved, signal, onEvent, rateLimits }: SaveRunOptions,
): Promise<FinishedRun> {
  const { origins = [], baseUrl, quotas: _, ...options } = given;
  const context = { ...given.context, ...(saved === undefined ? {} : { data: saved.read() as Json }) };
  const before = Object.keys(context).length === 0 ? given : { ...given, context };
  const noted = noteRun(app, node, before, {
    effects,
    signal,
    ...(onEvent === undefined ? {} : { onEvent }),
  });
  const aimed = baseUrl === undefined ? app : { ...app, api: { ...app.api, baseUrl: [baseUrl] } };
  const runtime = createRuntime(aimed, noted.effects, {
    origins,
    ...(rateLimits === undefined ? {} : { rateLimits }),
  });
  const outcome = await settled(
    runNode(runtime, node, {
      ...options,
      ...(saved === undefined ? {} : { saved }),
      ...(signal === undefined ? {} : { signal }),
      trace: noted.trace,
    }),
  );
  return { saved: await noted.finish(outcome), outcome };
}

/** A run that is written down while it happens. */
interface NotedRun {
  /** To run with. */
  readonly effects: Effects;
  readonly trace: Tracer;
  /** To be called when it is over. */
  finish(outcome: FinishedRun["outcome"]): Promise<SavedRun>;
}

/** Writes down a run, wherever that happens. */
export function noteRun(
  app: App,
  node: string,
  given: GivenToRun,
  { effects, signal, onEvent }: NoteOptions,
): NotedRun {
  const cancellation = noteCancellation(effects, signal);
  const recorder = record(cancellation.effects);
  const events: TraceEvent[] = [];
  let over = false;
  const trace = createTracer(recorder.effects.clock, (event, ...more) => {
    if (over) return;
    events.push(event);
    onEvent?.(event, ...more);
  });
  return {
    effects: recorder.effects,
    trace,
    async finish(outcome) {
      over = true;
      cancellation.end();
      const redact: Redact = (text) => trace.redact(text);
      const heard = recorder.recording(redact);
      const cancelled = cancellation.cancelled();
      return {
        version: 1,
        configc: VERSION,
        config: await digestOf(app),
        node,
        given: redactedValue(given, redact) as GivenToRun,
        heard,
        ...(cancelled === undefined ? {} : { cancelled }),
        trace: redactedValue(events, redact) as TraceEvent[],
        outcome: redactedValue(outcomeOf(outcome), redact) as SavedOutcome,
      };
    },
  };
}

interface NoteOptions {
  readonly effects: Effects;
  readonly signal: AbortSignal | undefined;
  readonly onEvent?: TraceListener;
}

export async function settled(run: Promise<Json>): Promise<FinishedRun["outcome"]> {
  try {
    return { output: await run };
  } catch (error) {
    return { error };
  }
}

function outcomeOf(outcome: FinishedRun["outcome"]): SavedOutcome {
  if ("output" in outcome) return outcome;
  const { error } = outcome;
  if (error instanceof RunError) {
    const { kind, message, pointer, status } = error;
    return { error: { kind, message, pointer, ...(status === undefined ? {} : { status }) } };
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { error: { kind: name, message, pointer: "" } };
}
