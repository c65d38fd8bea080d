import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock, Control, Engine, Job, Queue, Schedule, Steps } from "@configc/runtime";
import { embeddedSteps, isPutOff, putOffUntil } from "@configc/runtime/internal";
import { Cron } from "croner";
import { fairPart, mostInAll, mostOf } from "./places.ts";

/** Around the work of a job: there it has a place that others could have. */
const inJob = new AsyncLocalStorage<true>();

/**
 * The engine of one process. Jobs that wait are gone with it: what is due follows from the store alone, so the next process
 * enqueues them again.
 */
export class EmbeddedEngine implements Engine {
  readonly #clock: Clock;
  readonly #steps: Steps;
  readonly #queues = new Map<string, WorkingQueue>();
  readonly #crons: Cron[] = [];
  /** Ends work between two items. */
  readonly #stop = new AbortController();
  /** Ends work at once. */
  readonly #abort = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#steps = embeddedSteps(clock);
  }

  step: Steps["step"] = (name, work) => this.#steps.step(name, work);

  sleep: Steps["sleep"] = async (milliseconds, signal) => {
    if (inJob.getStore() === true) throw putOffUntil(this.#clock.now() + milliseconds);
    await this.#steps.sleep(milliseconds, signal);
  };

  async serve(queues: readonly Queue[]): Promise<void> {
    const control = { stop: this.#stop.signal, signal: this.#abort.signal };
    for (const queue of queues) this.#queues.set(queue.name, new WorkingQueue(queue, control, this.#clock));
  }

  async enqueue(...jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) this.#queues.get(job.queue)?.add(job);
  }

  async schedule({ seconds, work }: Schedule): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#crons.push(
      new Cron("* * * * * *", { interval: seconds, protect: true, unref: true }, () => work()),
    );
  }

  async idle(): Promise<void> {
    const queues = [...this.#queues.values()];
    while (queues.some((queue) => queue.busy)) await Promise.all(queues.map((queue) => queue.idle()));
  }

  async close(grace: number): Promise<void> {
    for (const cron of this.#crons) cron.stop();
    this.#stop.abort(new Error("The host is closing."));
    const timer = setTimeout(() => this.#abort.abort(new Error("The host was closed.")), grace);
    await this.idle();
    clearTimeout(timer);
  }
}

/**
 * Does the jobs of a queue, one at a time for each key: those of a share in the order in which they came, of several shares of that
 * which has least places (E38).
 */
class WorkingQueue {
  readonly #queue: Queue;
  readonly #control: Control;
  /** By share and id. */
  readonly #waiting = new Map<string, Map<string, Job>>();
  /** Jobs that are being done, by share. */
  readonly #working = new Map<string, number>();
  /** By key. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #clock: Clock;

  constructor(queue: Queue, control: Control, clock: Clock) {
    this.#queue = queue;
    this.#control = control;
    this.#clock = clock;
  }

  get busy(): boolean {
    return this.#running.size > 0;
  }

  add(job: Job): void {
    const share = this.#shareOf(job);
    const waiting = this.#waiting.get(share) ?? new Map<string, Job>();
    this.#waiting.set(share, waiting);
    const isDone = job.behind === false && this.#running.has(job.key);
    if (!isDone && !waiting.has(job.id)) waiting.set(job.id, job);
    this.#next();
  }

  async idle(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #shareOf({ input }: Job): string {
    return this.#queue.share?.(input) ?? "";
  }

  #next(): void {
    if (this.#control.stop.aborted) return this.#waiting.clear();
    const { parallel } = this.#queue;
    while (this.#running.size < mostInAll(parallel)) {
      const job = this.#first(this.#running.size < parallel);
      if (job === undefined) return;
      const share = this.#shareOf(job);
      this.#waiting.get(share)?.delete(job.id);
      this.#working.set(share, this.#has(share) + 1);
      this.#running.set(job.key, this.#work(job, share));
    }
  }

  #has(share: string): number {
    return this.#working.get(share) ?? 0;
  }

  /**
   * What is begun next. Where a service is left alone, its jobs are looked at again when others come, with the next look. On top of the places a
   * share has the rest of its part, while others hold more than theirs (E247).
   */
  #first(hasRoom: boolean): Job | undefined {
    const { parallel, shares, circuit, probed } = this.#queue;
    const most = hasRoom ? mostOf(parallel, shares?.() ?? 1) : fairPart(parallel, this.#wanting());
    const line = [...this.#waiting.keys()].sort((a, b) => this.#has(a) - this.#has(b));
    for (const share of line) {
      const job = this.#free(share);
      const state = circuit?.(share) ?? "closed";
      const limit = state === "closed" ? most : state === "probe" ? 1 : 0;
      if (job === undefined || this.#has(share) >= limit) continue;
      if (state === "probe") probed?.(share);
      return job;
    }
    return undefined;
  }

  /** How many shares have jobs. */
  #wanting(): number {
    return [...this.#waiting].filter(([share, jobs]) => jobs.size > 0 || this.#has(share) > 0).length;
  }

  #free(share: string): Job | undefined {
    for (const job of this.#waiting.get(share)?.values() ?? []) if (!this.#running.has(job.key)) return job;
    return undefined;
  }

  async #work(job: Job, share: string): Promise<void> {
    const { key, input } = job;
    try {
      await inJob.run(true, () => this.#queue.work(input, this.#control));
    } catch (error) {
      if (isPutOff(error)) this.#later(job, error.until);
      // Whoever gave the queue its work has told it; what is due is found again.
    } finally {
      this.#running.delete(key);
      this.#working.set(share, this.#has(share) - 1);
      this.#next();
    }
  }

  /** Not longer than timers can wait; what is due is found again anyway. */
  #later(job: Job, until: number): void {
    const wait = Math.min(Math.max(0, until - this.#clock.now()), 2 ** 31 - 1);
    setTimeout(() => this.add(job), wait).unref();
  }
}
