import { type Installation, RunError, type Runtime, type Store, type Transaction } from "@configc/runtime";
import { Cron } from "croner";
import { backOff, dueAt, periodOf, polledIntake } from "./due.ts";

/** What the scheduler tells about what it did. */
export interface JobReport {
  readonly app: string;
  readonly installation: string;
  readonly job: "poll" | "deliver" | "receive" | "resume";
  /** What the runtime gave, or why it failed. */
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface SchedulerOptions {
  readonly store: Store;
  readonly runtimes: ReadonlyMap<string, Runtime>;
  readonly now: () => number;
  /** Seconds between two looks at what is due. */
  readonly interval: number;
  /** Installations that are worked for at once. */
  readonly parallel: number;
  /** Milliseconds for which settled deliveries are kept. */
  readonly retention: number;
  readonly report: (report: JobReport) => void;
}

/** Milliseconds between two attempts to finish what is under way, and between two clean-ups. */
const RESUME_EVERY = 60_000;
const PRUNE_EVERY = 60 * 60_000;

/**
 * Does for each installation what is due: a cycle, or the delivery of what waits. What is due follows from the store alone, so a
 * new process goes on where the last one stopped.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #running = new Map<string, Promise<void>>();
  /** Failed deliveries in a row by installation, and when to try again. */
  readonly #failed = new Map<string, { readonly count: number; readonly until: number }>();
  /** Lines to be worked off once more after the one that is at work. */
  readonly #again = new Set<string>();
  /** Ends work between two items. */
  readonly #stop = new AbortController();
  /** Ends work at once. */
  readonly #abort = new AbortController();
  #cron: Cron | undefined;
  #resumed = Number.NEGATIVE_INFINITY;
  #pruned = Number.NEGATIVE_INFINITY;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Looks at once, and from then on at intervals. */
  async start(): Promise<void> {
    if (this.#cron !== undefined) return;
    await this.look();
    this.#cron = new Cron(
      "* * * * * *",
      { interval: this.#options.interval, protect: true, unref: true },
      // A store that fails is tried again at the next look.
      () => this.look().catch((error: unknown) => this.#reportAll(error)),
    );
  }

  /** Begins all that is due now and isn't under way. */
  async look(): Promise<void> {
    const { runtimes, now } = this.#options;
    for (const [app, runtime] of runtimes) {
      this.#sometimes(app, runtime);
      for (const job of await this.#due(app, runtime)) this.#begin(app, runtime, job);
    }
    const at = now();
    if (at - this.#resumed >= RESUME_EVERY) this.#resumed = at;
    if (at - this.#pruned >= PRUNE_EVERY) this.#pruned = at;
  }

  /** Delivers what waits for an installation, soon. */
  deliver(app: string, installation: string): void {
    const runtime = this.#options.runtimes.get(app);
    if (runtime !== undefined) this.#begin(app, runtime, { installation, job: "deliver" });
  }

  /** Resolves when nothing is under way (any more). */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /**
   * Begins nothing more, and lets what is under way come to the end of an item.
   *
   * @param grace milliseconds; then it is cancelled in the middle
   */
  async close(grace: number): Promise<void> {
    this.#cron?.stop();
    this.#stop.abort(new Error("The host is closing."));
    const timer = setTimeout(() => this.#abort.abort(new Error("The host was closed.")), grace);
    await this.idle();
    clearTimeout(timer);
  }

  /** What needn't be done at every look, and must not keep the others waiting. */
  #sometimes(app: string, runtime: Runtime): void {
    const { now, retention, report } = this.#options;
    const at = now();
    const options = { signal: this.#abort.signal, stop: this.#stop.signal };
    const jobs = [
      ...(at - this.#resumed >= RESUME_EVERY ? [() => runtime.resume(options)] : []),
      ...(at - this.#pruned >= PRUNE_EVERY ? [() => runtime.prune(at - retention)] : []),
    ];
    if (jobs.length === 0 || this.#running.has(app)) return;
    const work = async (): Promise<void> => {
      try {
        for (const job of jobs) await job();
      } catch (error) {
        if (!isCancelled(error)) report({ app, installation: "", job: "resume", error });
      }
    };
    this.#running.set(
      app,
      work().finally(() => this.#running.delete(app)),
    );
  }

  async #due(app: string, runtime: Runtime): Promise<readonly Job[]> {
    const { store, now } = this.#options;
    return await store.transaction(async (transaction) => {
      const jobs: Job[] = [];
      for (const installation of await transaction.list("installations", { app, status: "active" })) {
        const { id, settings } = installation;
        const workflow = runtime.app.workflows.find(({ name }) => name === installation.workflow);
        if (workflow === undefined) continue;
        const polled = polledIntake(runtime.app, workflow);
        const connection =
          settings?.connection === undefined
            ? undefined
            : await transaction.get("connections", settings.connection);
        const records = polled === undefined ? [] : await transaction.list("polling", { installation: id });
        const record = records.find(({ intake }) => intake === polled?.name);
        const period = periodOf(runtime.app, workflow);
        const due =
          polled === undefined
            ? undefined
            : dueAt({ installation, connection, record, period, once: polled.once });
        if (due !== undefined && due <= now()) jobs.push({ installation: id, job: "poll" });
        else if (await isWaiting(transaction, installation)) jobs.push({ installation: id, job: "deliver" });
      }
      return jobs;
    });
  }

  #begin(app: string, runtime: Runtime, { installation, job }: Job): void {
    const key = `${app}/${installation}`;
    const rests = (this.#failed.get(installation)?.until ?? 0) > this.#options.now();
    if (rests || this.#stop.signal.aborted) return;
    const before = this.#running.get(key);
    if (before !== undefined) {
      // What has just come may have come too late for the line that is at work.
      if (job === "deliver" && !this.#again.has(key)) {
        this.#again.add(key);
        void before.then(() => {
          this.#again.delete(key);
          this.#begin(app, runtime, { installation, job });
        });
      }
      return;
    }
    if (this.#running.size >= this.#options.parallel) return;
    const work = this.#work(app, runtime, { installation, job }).finally(() => this.#running.delete(key));
    this.#running.set(key, work);
  }

  async #work(app: string, runtime: Runtime, { installation, job }: Job): Promise<void> {
    const { report, now } = this.#options;
    const options = { signal: this.#abort.signal, stop: this.#stop.signal };
    try {
      const result = await runtime[job](installation, options);
      this.#failed.delete(installation);
      report({ app, installation, job, result });
    } catch (error) {
      if (isCancelled(error)) return;
      const count = (this.#failed.get(installation)?.count ?? 0) + 1;
      this.#failed.set(installation, { count, until: now() + backOff(count) });
      report({ app, installation, job, error });
    }
  }

  #reportAll(error: unknown): void {
    for (const app of this.#options.runtimes.keys())
      this.#options.report({ app, installation: "", job: "resume", error });
  }
}

interface Job {
  readonly installation: string;
  readonly job: "poll" | "deliver";
}

function isCancelled(error: unknown): boolean {
  return error instanceof RunError && error.kind === "Cancelled";
}

async function isWaiting(transaction: Transaction, { id }: Installation): Promise<boolean> {
  const found = await transaction.list("deliveries", { installation: id, status: "waiting" }, { limit: 1 });
  return found.length > 0;
}
