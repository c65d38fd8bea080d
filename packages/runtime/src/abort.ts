import { abortError } from "./errors.ts";

/** What waits for a signal. One listener a signal: hundreds of runs may share one, of which Node would warn, and each would cost. */
const bySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal is aborted; not for one that is already.
 *
 * @returns takes the callback away
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let waiting = bySignal.get(signal);
  if (waiting === undefined) {
    const made = new Set<() => void>();
    const callAll = (): void => {
      for (const call of [...made]) call();
    };
    signal.addEventListener("abort", callAll, { once: true });
    bySignal.set(signal, made);
    waiting = made;
  }
  const all = waiting;
  // The same function may wait twice.
  const call = (): void => callback();
  all.add(call);
  return () => void all.delete(call);
}

/**
 * Waits for something that others wait for too: the signal ends only this waiting.
 *
 * @throws the signal's reason
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const off = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(off);
  });
}

/** Milliseconds that a run has to come to its end. */
const GRACE = 1_000;

/**
 * Waits for a run. Its effects end when the signal is aborted; one of a host's own that doesn't is left alone after a while, so that limits hold whatever
 * it does.
 *
 * @throws RunError why the signal was aborted
 */
export function unlessStuck<T>(run: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = (): void => {
      timer = setTimeout(() => reject(abortError(signal, undefined)), GRACE);
    };
    if (signal.aborted) leave();
    const off = onAbort(signal, leave);
    const over = (): void => {
      off();
      if (timer !== undefined) clearTimeout(timer);
    };
    // Not `finally`, which makes further promises: each item of a pipeline comes through here.
    run.then(
      (value) => {
        over();
        resolve(value);
      },
      (error: unknown) => {
        over();
        reject(error);
      },
    );
  });
}
