import type { AppQuota } from "@configc/compiler";
import { abortable } from "../abort.ts";
import type { Clock } from "../effects.ts";

/** Says that a request has ended. */
export type Release = () => void;

export interface LimitOptions {
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Milliseconds that the request may take at most: after that it has ended, whether somebody says so or not. */
  readonly longest: number;
  /** Told how long, in milliseconds, each time it has to wait. */
  readonly onWait: (milliseconds: number) => void;
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
   * @throws the signal's reason; RunError `StoreError` if the limits are kept in a database that is away
   */
  acquire(key: string, quota: AppQuota, options: LimitOptions): Promise<Release>;
}

interface Window {
  /** When the requests of the last period ended, ascending. */
  readonly ended: number[];
  running: number;
  /** Called when one ends. */
  wake: (() => void) | undefined;
  /** The last one that waits: turns are taken in the order of asking. */
  last: Promise<unknown>;
}

/** Exact sliding windows in memory. */
export class RateLimiter implements RateLimits {
  private readonly windows = new Map<string, Window>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async acquire(key: string, quota: AppQuota, { signal, onWait }: LimitOptions): Promise<Release> {
    const window = this.windowOf(key);
    const turn = window.last.then(() => this.take(window, quota, signal, onWait));
    window.last = turn.catch(() => undefined);
    return await abortable(turn, signal);
  }

  private windowOf(key: string): Window {
    let window = this.windows.get(key);
    if (window === undefined) {
      window = { ended: [], running: 0, wake: undefined, last: Promise.resolve() };
      this.windows.set(key, window);
    }
    return window;
  }

  private async take(
    window: Window,
    { requests, period }: AppQuota,
    signal: AbortSignal,
    onWait: (milliseconds: number) => void,
  ): Promise<Release> {
    for (;;) {
      signal.throwIfAborted();
      const now = this.clock.now();
      while (window.ended.length > 0 && window.ended[0]! + period * 1_000 <= now) window.ended.shift();
      if (window.ended.length + window.running < requests) break;
      const [oldest] = window.ended;
      if (oldest === undefined) await this.nextEnd(window, signal);
      else {
        const wait = oldest + period * 1_000 - now;
        onWait(wait);
        await this.clock.sleep(wait, signal);
        // A replayed clock doesn't move by itself: what was waited for has passed.
        if (this.clock.now() <= now) window.ended.shift();
      }
    }
    window.running++;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      window.running--;
      window.ended.push(this.clock.now());
      window.wake?.();
    };
  }

  private async nextEnd(window: Window, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const abort = () => reject(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      window.wake = () => {
        signal.removeEventListener("abort", abort);
        window.wake = undefined;
        resolve();
      };
    });
  }
}
