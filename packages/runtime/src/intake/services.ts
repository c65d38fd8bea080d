import type { App } from "@configc/compiler";
import type { Effects } from "../effects.ts";
import type { Steps } from "../engine/engine.ts";
import { abortError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import type { RunCommand } from "../run-options.ts";
import type { Store } from "../store/store.ts";
import type { Vault } from "../store/vault.ts";
import { createTracer, type TraceEvent, type Tracer } from "../trace.ts";

/** What intakes, deliveries and registrations of one app work with. */
export interface Services {
  readonly app: App;
  /** The host's name for the app, in the store's rows. */
  readonly name: string;
  /** The host's name for this version of it, on failures that are kept. */
  readonly version: string | undefined;
  readonly run: RunCommand;
  readonly effects: Effects;
  readonly store: Store;
  readonly engine: Steps;
  readonly limits: Limits;
  /** Seals what third parties answered where it has to be kept for a while. */
  readonly vault: Vault | undefined;
  /** The public URL of a webhook, by the unguessable id in it. */
  readonly webhookUrl: ((hook: string) => string) | undefined;
}

/** What every operation takes. */
export interface WorkOptions {
  /** Ends it; what was committed stays, and the rest is taken up again later. */
  readonly signal?: AbortSignal;
  /** Ends it too, but lets the item or iteration that is under way come to its end. */
  readonly stop?: AbortSignal;
  /** Is told each event of the commands that run. */
  readonly trace?: Tracer | ((event: TraceEvent) => void);
}

/** The options with a tracer that all runs of an operation share. */
export interface Work {
  readonly signal: AbortSignal;
  readonly stop: AbortSignal | undefined;
  readonly tracer: Tracer;
}

export function workOf({ effects }: Services, { signal, stop, trace }: WorkOptions): Work {
  return {
    signal: signal ?? new AbortController().signal,
    stop,
    tracer: typeof trace === "object" ? trace : createTracer(effects.clock, trace),
  };
}

/**
 * Does something that only one may do at a time, over all processes; the others wait in a line.
 *
 * @param then is given the work with a signal that ends also when the lock is lost
 */
export function exclusively<R>(
  { store }: Services,
  key: string,
  work: Work,
  then: (work: Work) => Promise<R>,
): Promise<R> {
  const locked = async (lost?: AbortSignal): Promise<R> => {
    if (lost === undefined) return await then(work);
    // Not `AbortSignal.any`: what it makes lives as long as the signals, and the host's are there for good.
    const both = new AbortController();
    const signals = [work.signal, lost];
    const abort = (): void => both.abort(signals.find(({ aborted }) => aborted)?.reason);
    for (const signal of signals) signal.addEventListener("abort", abort, { once: true });
    if (signals.some(({ aborted }) => aborted)) abort();
    try {
      return await then({ ...work, signal: both.signal });
    } finally {
      for (const signal of signals) signal.removeEventListener("abort", abort);
    }
  };
  return store.exclusive(key, locked, work.signal);
}

/**
 * To be called between items and iterations.
 *
 * @throws RunError `Cancelled`, or `StoreError` if the lock was lost
 */
export function throwIfCancelled({ signal, stop }: Work): void {
  const ended = signal.aborted ? signal : stop;
  if (ended?.aborted === true) throw abortError(ended, undefined);
}
