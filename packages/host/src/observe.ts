import type { Tracer } from "@configc/runtime";

/** Whose run it is. */
export interface ObservedRun {
  readonly app: string;
  readonly installation: string;
  readonly job: string;
  readonly version: string;
  /** Milliseconds since it was due; undefined if that isn't known. */
  readonly late: number | undefined;
}

/** Looks on at what a host does: for telemetry. */
export interface Observe {
  /** How many jobs a look has found. */
  due(app: string, jobs: number): void;
  /** What became of a request to a webhook that is known: taken, refused by the app or for its form, or not kept because the surroundings failed. */
  received?(app: string, outcome: "taken" | "refused" | "failed"): void;
  /** Is around each run. The work takes a tracer if somebody wants to see what it does. */
  run<R extends object>(run: ObservedRun, work: (trace: Tracer | undefined) => Promise<R>): Promise<R>;
}

/** Nobody looks on. */
export const unobserved: Observe = { due() {}, run: (_run, work) => work(undefined) };
