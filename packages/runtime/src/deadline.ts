import { RunError } from "./errors.ts";
import { LONGEST_TIMER } from "./portable-effects.ts";

/** What ends a run: a signal that is aborted with the given one, or after a time. */
interface Deadline {
  readonly signal: AbortSignal;
  /** To be called before the run waits for anything: one that doesn't is over before a timer could end it. */
  wait(): void;
  /** To be called when the run is over. */
  end(): void;
}

/** Runs that begin within so much of their time share a signal: making one costs as much as a tenth of a request. */
const SHARED = 0.01;

/** A signal of runs that began at about the same time. */
interface Shared {
  readonly controller: AbortController;
  readonly time: number;
  /** Until when further runs may join, by `performance.now`. */
  readonly joinUntil: number;
  /** Of when the last of them has to be over; they may take that much longer. */
  readonly over: number;
  readonly leave: () => void;
  runs: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The newest of each outer signal, and of runs without one. */
const byOuter = new WeakMap<AbortSignal, Shared>();
let withoutOuter: Shared | undefined;

/**
 * Begins the time of a run.
 *
 * @param time milliseconds that it may take, up to a hundredth more
 * @param outer ends it earlier
 */
export function startDeadline(time: number, outer: AbortSignal | undefined): Deadline {
  const now = performance.now();
  let shared = outer === undefined ? withoutOuter : byOuter.get(outer);
  if (
    shared === undefined ||
    shared.time !== time ||
    now > shared.joinUntil ||
    shared.controller.signal.aborted
  ) {
    if (shared?.runs === 0) shared.leave();
    shared = share(time, outer, now);
    if (outer === undefined) withoutOuter = shared;
    else byOuter.set(outer, shared);
  }
  const joined = shared;
  joined.runs++;
  return {
    signal: joined.controller.signal,
    wait() {
      if (joined.timer === undefined) arm(joined);
    },
    end() {
      if (--joined.runs > 0) return;
      // Nothing may keep the process alive when no run does.
      if (joined.timer !== undefined) clearTimeout(joined.timer);
      joined.timer = undefined;
      const isNewest = (outer === undefined ? withoutOuter : byOuter.get(outer)) === joined;
      if (!isNewest) joined.leave();
    },
  };
}

function share(time: number, outer: AbortSignal | undefined, now: number): Shared {
  const controller = new AbortController();
  const abort = (): void => controller.abort(outer?.reason);
  if (outer?.aborted === true) abort();
  else outer?.addEventListener("abort", abort, { once: true });
  return {
    controller,
    time,
    joinUntil: now + time * SHARED,
    over: now + time * (1 + SHARED),
    leave: () => outer?.removeEventListener("abort", abort),
    runs: 0,
    timer: undefined,
  };
}

/** As often as it takes: no time is too long, not even none at all. */
function arm(shared: Shared): void {
  const left = shared.over - performance.now();
  shared.timer = setTimeout(
    () => (left > LONGEST_TIMER ? arm(shared) : exceed(shared)),
    Math.min(left, LONGEST_TIMER),
  );
}

function exceed({ controller, time }: Shared): void {
  const message = `The run took longer than ${time / 1_000} s, the most that it may.`;
  controller.abort(new RunError("LimitError", message, undefined));
}
