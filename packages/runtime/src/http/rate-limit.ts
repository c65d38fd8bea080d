import type { AppQuota } from "@configc/compiler";
import { abortable, onAbort } from "../abort.ts";
import type { Clock } from "../effects.ts";

/** Says that a request has ended. */
export type Release = () => void;

/** How a request waits for its place in a rate limit. */
export interface LimitOptions {
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Milliseconds that the request may take at most: after that it has ended, whether somebody says so or not. */
  readonly longest: number;
  /** Told how long, in milliseconds, each time it has to wait. */
  readonly onWait: (milliseconds: number) => void;
  /** Milliseconds that it may take at most; absent: as long as it takes. */
  readonly patience?: number | undefined;
}

/** A request wasn't let pass: it would have had to wait for longer than it may. */
export class TooLong extends Error {
  /** It may be worth asking again after so many milliseconds. */
  readonly wait: number;

  constructor(wait: number) {
    super(`The rate limit lets it pass in ${Math.ceil(wait / 1_000)} s.`);
    this.name = "TooLong";
    this.wait = wait;
  }
}

/**
 * Who may send how many requests (spec: Limits): in memory for one process, or shared by all processes of a fleet.
 *
 * In no period, wherever it begins, do more requests arrive than the quota allows. So a request takes its place until a period after its
 * *end*: when it reached the server isn't known, but not after that.
 */
export interface RateLimits {
  /**
   * Waits until a request may be sent, in the order of asking; it has to be sent at once.
   *
   * @param key whose quota it is
   * @throws the signal's reason; TooLong if it would have to wait for longer than `patience`; RunError `StoreError` if the limits are kept in a database that is away
   */
  acquire(key: string, quota: AppQuota, options: LimitOptions): Promise<Release>;
}

/** Those who were put off: they don't all come again at once, but as many in a period as may pass. */
export class PutOffs {
  #times: number[] = [];

  /**
   * @param wait milliseconds after which the next place is free
   * @returns milliseconds after which it is worth asking again
   */
  next(wait: number, { requests, period }: AppQuota, now: number): number {
    this.#times = this.#times.filter((time) => time > now);
    const before = Math.floor(this.#times.length / requests);
    const spread = wait + before * period * 1_000;
    this.#times.push(now + spread);
    return spread;
  }
}

interface Window {
  /** When the requests of the last period ended, ascending. */
  readonly ended: number[];
  running: number;
  /** Called when one ends. */
  wake: (() => void) | undefined;
  /** The last one that waits: turns are taken in the order of asking. */
  last: Promise<unknown>;
  waiting: number;
  readonly putOffs: PutOffs;
}

/** Remembers requests beyond the end of the process. What it throws is a failure of the run that asks. */
export interface KeptWindows {
  /** Milliseconds since each of the requests of earlier processes ended, those that count no more included. */
  ages(key: string): readonly number[];
  /** A request is about to be sent; it is kept when this returns. @param period seconds for which it counts */
  began(key: string, period: number): RunningRequest;
}

/** A request that was sent. */
export interface RunningRequest {
  /** Its end counts from now. */
  ended(): void;
}

/** Exact sliding windows in memory; with `kept`, also over processes that follow one another. */
export class RateLimiter implements RateLimits {
  readonly #windows = new Map<string, Window>();
  readonly #clock: Clock;
  readonly #kept: KeptWindows | undefined;

  constructor(clock: Clock, kept?: KeptWindows) {
    this.#clock = clock;
    this.#kept = kept;
  }

  /** Wherever somebody sets the time of day to: that neither frees a place nor holds one. */
  #now(): number {
    return this.#clock.monotonic?.() ?? this.#clock.now();
  }

  async acquire(
    key: string,
    quota: AppQuota,
    { signal, onWait, patience = Number.POSITIVE_INFINITY }: LimitOptions,
  ): Promise<Release> {
    const window = this.#windowOf(key);
    this.#settle(window);
    const wait = this.#leastWait(window, quota);
    if (wait > patience) throw new TooLong(window.putOffs.next(wait, quota, this.#now()));
    window.waiting++;
    const turn = window.last
      .then(() => this.#take(key, window, quota, signal, onWait))
      .finally(() => window.waiting--);
    window.last = turn.catch(() => undefined);
    return await abortable(turn, signal);
  }

  /** Milliseconds: no request that asks now may be sent sooner. */
  #leastWait(window: Window, { requests, period }: AppQuota): number {
    const now = this.#now();
    const taken = window.ended.filter((end) => end + period * 1_000 > now);
    const ahead = window.waiting - (requests - taken.length - window.running);
    if (ahead < 0) return 0;
    // Of the requests that are under way, it isn't known when they end.
    const next = taken[ahead % requests] ?? now;
    return next + period * 1_000 * (1 + Math.floor(ahead / requests)) - now;
  }

  /** If the clock was set back, what has ended ended just now at the latest: nobody waits for longer than a period. */
  #settle({ ended }: Window): number {
    const now = this.#now();
    for (let at = ended.length - 1; at >= 0 && ended[at]! > now; at--) ended[at] = now;
    return now;
  }

  #windowOf(key: string): Window {
    let window = this.#windows.get(key);
    if (window === undefined) {
      const now = this.#now();
      window = {
        ended: (this.#kept?.ages(key) ?? []).map((age) => now - age).sort((a, b) => a - b),
        running: 0,
        wake: undefined,
        last: Promise.resolve(),
        waiting: 0,
        putOffs: new PutOffs(),
      };
      this.#windows.set(key, window);
    }
    return window;
  }

  async #take(
    key: string,
    window: Window,
    { requests, period }: AppQuota,
    signal: AbortSignal,
    onWait: (milliseconds: number) => void,
  ): Promise<Release> {
    for (;;) {
      signal.throwIfAborted();
      const now = this.#settle(window);
      while (window.ended.length > 0 && window.ended[0]! + period * 1_000 <= now) window.ended.shift();
      if (window.ended.length + window.running < requests) break;
      const [oldest] = window.ended;
      if (oldest === undefined) await this.#nextEnd(window, signal);
      else {
        const wait = oldest + period * 1_000 - now;
        onWait(wait);
        await this.#clock.sleep(wait, signal);
        // A replayed clock doesn't move by itself: what was waited for has passed.
        if (this.#now() <= now) window.ended.shift();
      }
    }
    const request = this.#kept?.began(key, period);
    window.running++;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      window.running--;
      window.ended.push(this.#now());
      request?.ended();
      window.wake?.();
    };
  }

  async #nextEnd(window: Window, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const off = onAbort(signal, () => reject(signal.reason));
      window.wake = () => {
        off();
        window.wake = undefined;
        resolve();
      };
    });
  }
}
