import {
  type Clock,
  type Control,
  type Engine,
  embeddedSteps,
  type Job,
  type Queue,
  type Schedule,
  type Steps,
} from "@configc/runtime";
import { Cron } from "croner";

/**
 * The engine of one process. Jobs that wait are gone with it: what is due follows from the store alone, so the next process
 * enqueues them again.
 */
export class EmbeddedEngine implements Engine {
  readonly #steps: Steps;
  readonly #queues = new Map<string, WorkingQueue>();
  readonly #crons: Cron[] = [];
  /** Ends work between two items. */
  readonly #stop = new AbortController();
  /** Ends work at once. */
  readonly #abort = new AbortController();

  constructor(clock: Clock) {
    this.#steps = embeddedSteps(clock);
  }

  step: Steps["step"] = (name, work) => this.#steps.step(name, work);

  sleep: Steps["sleep"] = (milliseconds, signal) => this.#steps.sleep(milliseconds, signal);

  async serve(queues: readonly Queue[]): Promise<void> {
    const control = { stop: this.#stop.signal, signal: this.#abort.signal };
    for (const queue of queues) this.#queues.set(queue.name, new WorkingQueue(queue, control));
  }

  async enqueue(job: Job): Promise<void> {
    this.#queues.get(job.queue)?.add(job);
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

  constructor(queue: Queue, control: Control) {
    this.#queue = queue;
    this.#control = control;
  }

  get busy(): boolean {
    return this.#running.size > 0;
  }

  add(job: Job): void {
    if (!this.#waiting.has(job.id)) this.#waiting.set(job.id, job);
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

  async #work({ key, input }: Job): Promise<void> {
    try {
      await this.#queue.work(input, this.#control);
    } catch {
      // Whoever gave the queue its work has told it; what is due is found again.
    } finally {
      this.#running.delete(key);
      this.#next();
    }
  }
}
