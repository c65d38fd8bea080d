import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Clock,
  type Control,
  type Engine,
  embeddedSteps,
  isPutOff,
  type Job,
  putOffUntil,
  type Queue,
  type Schedule,
  type Steps,
} from "@configc/runtime";
import { Cron } from "croner";

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

/** Does the jobs of a queue: in the order in which they came, but one at a time for each key. */
class WorkingQueue {
  readonly #queue: Queue;
  readonly #control: Control;
  /** By id. */
  readonly #waiting = new Map<string, Job>();
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
    const isDone = job.behind === false && this.#running.has(job.key);
    if (!isDone && !this.#waiting.has(job.id)) this.#waiting.set(job.id, job);
    this.#next();
  }

  async idle(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #next(): void {
    if (this.#control.stop.aborted) return this.#waiting.clear();
    for (const job of this.#waiting.values()) {
      if (this.#running.size >= this.#queue.parallel) return;
      if (this.#running.has(job.key)) continue;
      this.#waiting.delete(job.id);
      this.#running.set(job.key, this.#work(job));
    }
  }

  async #work(job: Job): Promise<void> {
    const { key, input } = job;
    try {
      await inJob.run(true, () => this.#queue.work(input, this.#control));
    } catch (error) {
      if (isPutOff(error)) this.#later(job, error.until);
      // Whoever gave the queue its work has told it; what is due is found again.
    } finally {
      this.#running.delete(key);
      this.#next();
    }
  }

  /** Not longer than timers can wait; what is due is found again anyway. */
  #later(job: Job, until: number): void {
    const wait = Math.min(Math.max(0, until - this.#clock.now()), 2 ** 31 - 1);
    setTimeout(() => this.add(job), wait).unref();
  }
}
