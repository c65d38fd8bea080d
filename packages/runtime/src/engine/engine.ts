import type { Json } from "@configc/jq";

/**
 * What a run needs so that it can be interrupted anywhere and taken up again. The embedded host has nothing but the store for it;
 * on a fleet of workers each step is recorded.
 */
export interface Steps {
  /**
   * Does a part of a run and remembers what it gave, or how it failed: a run that is taken up again gets that. The name is the
   * same each time, and what comes after it follows from what steps gave.
   *
   * A part may have been done and not remembered. It is done again then, and has to find in the store what it has committed.
   *
   * @param work gives something small and without secrets; data belongs into the store
   * @throws what the work throws; remembered failures are RunErrors with kind, message, pointer and status
   */
  step<R extends Json | undefined>(name: string, work: () => Promise<R>): Promise<R>;
  /**
   * Waits, between two steps. The run of a job doesn't keep its place meanwhile: it ends here, and the job is begun anew at that time, by whichever
   * process has a place then. What was done before is found in the store.
   *
   * @throws the signal's reason; where it is the run of a job, RunError `Cancelled` with `until`, which has to be passed on
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** What has to be done for a key, such as an installation. */
export interface Job {
  readonly queue: string;
  /** Jobs of one key are done one after the other, in the order in which they came. */
  readonly key: string;
  readonly input: Json;
  /** A job that waits under the same id is the same job. One that is already being done isn't: it may be too late for it. */
  readonly id: string;
  /** Absent: it takes its turn by when it came. */
  readonly turn?: Turn;
  /** False: it isn't added while one is being done for its key, which does what this one would. Default true. */
  readonly behind?: boolean;
}

/** When a job's turn is within its share, where more wait than can be done at once (E38). */
export interface Turn {
  /** Within a share the jobs of one member, a customer, are spread out among those of others. */
  readonly member: string;
  /** Since when it could have been begun, in milliseconds since 1970: the latest come first. 0: not known. */
  readonly since: number;
}

/** Ends work: `stop` between two items, `signal` at once. */
export interface Control {
  readonly stop: AbortSignal;
  readonly signal: AbortSignal;
}

/** A kind of jobs that an engine does, each once. */
export interface Queue {
  readonly name: string;
  /** Jobs that one process does at once. */
  readonly parallel: number;
  /** Completes what a job was given, at the moment at which its turn comes. */
  prepare?(input: Json): Promise<Json>;
  /** To which of those who share the places evenly a job belongs: its app. A service that is down stops those of one share alone. */
  share?(input: Json): string;
  /** Whether jobs of a share may be begun: all, none, or one that tries whether its service answers again. Default: all. */
  circuit?(share: string): "closed" | "open" | "probe";
  /** One was begun that tries it. */
  probed?(share: string): void;
  /** Whether nobody will want to know of a job that gave that: its run needn't be kept. Default: all are. */
  isIdle?(output: Json): boolean;
  /** How many shares there are, those included for which nothing waits. Default 1. */
  shares?(): number;
  /**
   * @returns what is worth telling of it, small and without secrets
   * @throws what `sleep` has thrown: it is begun anew then
   */
  work(input: Json, control: Control): Promise<Json>;
}

/** Something that is begun every so often, by one process. */
export interface Schedule {
  readonly name: string;
  readonly seconds: number;
  /** Short: what takes longer is enqueued. */
  work(): Promise<void>;
}

/** Queues and schedules, and the steps of what they begin. */
export interface Engine extends Steps {
  /** Begins to do jobs; to be called once, before any is enqueued. */
  serve(queues: readonly Queue[]): Promise<void>;
  /** Any number may wait: that costs nothing but its row. */
  enqueue(...jobs: readonly Job[]): Promise<void>;
  /** The first time is after the interval. */
  schedule(schedule: Schedule): Promise<void>;
  /** Resolves when no job waits and none is under way (any more). */
  idle(): Promise<void>;
  /**
   * Begins nothing more, and lets what is under way come to the end of an item.
   *
   * @param grace milliseconds; then it is ended in the middle
   */
  close(grace: number): Promise<void>;
}
