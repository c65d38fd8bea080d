import type { App } from "@configc/compiler";
import type { Effects } from "../effects.ts";
import type { Steps } from "../engine/engine.ts";
import { RunError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import type { Runtime } from "../runtime.ts";
import type { Store } from "../store/store.ts";
import type { Vault } from "../store/vault.ts";
import { createTracer, type TraceEvent, type Tracer } from "../trace.ts";

/** What intakes, deliveries and registrations of one app work with. */
export interface Services {
  readonly app: App;
  /** The host's name for the app, in the store's rows. */
  readonly name: string;
  readonly run: Runtime["run"];
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
 * To be called between items and iterations.
 *
 * @throws RunError `Cancelled`
 */
export function throwIfCancelled({ signal, stop }: Work): void {
  const ended = signal.aborted ? signal : stop;
  if (ended?.aborted === true)
    throw new RunError("Cancelled", "The run was cancelled.", undefined, { cause: ended.reason });
}
