import { type Effects, RunError, type RunErrorKind } from "@configc/runtime";
import type { Cancellation } from "./saved-run.ts";

/** Counts what a run asks for. */
class Counter {
  readings = 0;
  calls = 0;
  waiting = 0;
}

/** Is asked at each reading of the clock, and around each call that a run waits for. */
interface Watcher {
  reading(): void;
  call<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
}

function watched(effects: Effects, { reading, call }: Watcher): Effects {
  const { clock, http, credentials, platform } = effects;
  return {
    ...effects,
    clock: {
      ...clock,
      now() {
        reading();
        return clock.now();
      },
      sleep: (milliseconds, signal) => call(() => clock.sleep(milliseconds, signal), signal),
    },
    http: { request: (request) => call(() => http.request(request), request.signal) },
    credentials: {
      ...credentials,
      read: (connection) => call(() => credentials.read(connection), undefined),
      write: (connection, credential, replaced) =>
        call(() => credentials.write(connection, credential, replaced), undefined),
      markBroken: (connection, reason) => call(() => credentials.markBroken(connection, reason), undefined),
    },
    platform: {
      fields: (resource, signal) => call(() => platform.fields(resource, signal), signal),
      upsert: (resource, item, options) =>
        call(() => platform.upsert(resource, item, options), options.signal),
      sync: (resource, action, data, signal, key) =>
        call(() => platform.sync(resource, action, data, signal, key), signal),
    },
  };
}

/** Notes when a run is cancelled: from outside, or by its own limit of time, which only its calls are told of. */
export function noteCancellation(
  effects: Effects,
  signal: AbortSignal | undefined,
): { readonly effects: Effects; cancelled(): Cancellation | undefined; end(): void } {
  const counter = new Counter();
  let cancelled: Cancellation | undefined;
  const note = ({ reason }: AbortSignal): void => {
    cancelled ??= {
      readings: counter.readings,
      ...(counter.waiting > 0 ? { call: counter.calls } : {}),
      reason: describe(reason),
    };
  };
  const onAbort = (): void => note(signal as AbortSignal);
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  return {
    effects: watched(effects, {
      reading: () => void counter.readings++,
      async call(work, inner) {
        counter.calls++;
        counter.waiting++;
        const onInner = (): void => note(inner as AbortSignal);
        inner?.addEventListener("abort", onInner, { once: true });
        try {
          return await work();
        } finally {
          inner?.removeEventListener("abort", onInner);
          counter.waiting--;
        }
      },
    }),
    cancelled: () => cancelled,
    end: () => signal?.removeEventListener("abort", onAbort),
  };
}

/** Cancels a run again where it was cancelled. */
export function repeatCancellation(
  effects: Effects,
  cancelled: Cancellation,
  controller: AbortController,
): Effects {
  const counter = new Counter();
  const cancel = (): void => controller.abort(reasonOf(cancelled));
  if (cancelled.readings === 0 && cancelled.call === undefined) cancel();
  return watched(effects, {
    reading() {
      if (++counter.readings === cancelled.readings && cancelled.call === undefined) cancel();
    },
    async call(work, inner) {
      if (++counter.calls !== cancelled.call) return await work();
      cancel();
      // Renewing a token goes on without the run that began it; its answer came too late to be heard.
      if (inner !== undefined && !inner.aborted) return await new Promise(() => undefined);
      return await work();
    },
  });
}

function describe(reason: unknown): Cancellation["reason"] {
  const message = reason instanceof Error ? reason.message : String(reason);
  return reason instanceof RunError ? { kind: reason.kind, message } : { message };
}

function reasonOf({ reason: { kind, message } }: Cancellation): Error {
  return kind === undefined ? new Error(message) : new RunError(kind as RunErrorKind, message, undefined);
}
