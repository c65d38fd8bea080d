import { AsyncResource } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import { fairPart, mostInAll } from "@configc/host/internal";
import {
  type Clock,
  type Engine,
  type Job,
  type Json,
  type Queue,
  RunError,
  type Schedule,
  type Steps,
} from "@configc/runtime";
import { isPutOff, putOffUntil } from "@configc/runtime/internal";
import { DBOS, StatusString } from "@dbos-inc/dbos-sdk";
// To stop taking runs before those under way are over, and to take over those of one dead worker, are in no public API of the pinned
// version: `shutdown` does the first together with the rest, `resumeWorkflows` also takes what a live worker has just begun.
import { DBOSExecutor } from "@dbos-inc/dbos-sdk/internal/dbos-executor";
import { dbRetryConfig } from "@dbos-inc/dbos-sdk/internal/utils";
import type pg from "pg";
import type { Database } from "../postgres/database.ts";
import { preparedPool } from "../postgres/prepared-pool.ts";
import { Backlog, onTopOf, type Taken } from "./backlog.ts";
import { cronOf } from "./cron.ts";
import type { EngineLog } from "./engine-log.ts";
import { ABI, JOURNAL, journalError } from "./journal.ts";
import { Leftovers } from "./leftovers.ts";
import { isCancelled, recordedStep } from "./step.ts";
import { disengage, engage, job, type Runner, scheduled } from "./workflows.ts";
import { Working } from "./working.ts";

export interface EngineOptions {
  /** `postgres://…` */
  readonly url: string;
  /** The same for each process that takes the place of an earlier one: it takes up the runs of that. */
  readonly slot: string;
  readonly clock: Clock;
  /** False: jobs are enqueued, and done elsewhere. */
  readonly works: boolean;
  /** Milliseconds between two looks at a queue. */
  readonly queueInterval: number;
  /** Connections for the journal. */
  readonly connections: number;
  /** Where jobs wait for their turn. */
  readonly database: Database;
  /** Milliseconds for which runs are kept that found nothing to do. */
  readonly keepIdle: number;
  /** Whether nothing is to be begun for a key. */
  readonly held: (key: string) => Promise<boolean>;
  readonly log: EngineLog;
}

const SCHEDULES = "schedules";
/** Seconds between two tries to write to the journal while Postgres is away or its disk is full: by default runs stand still for up to 90 s after it is back. */
const RETRY_SECONDS = 5;
/** Milliseconds between two looks at runs that can be forgotten. */
const TIDY = 10_000;

/** To enqueue is no step of the run that does it: done again, it comes to the same. */
const outside = new AsyncResource("configc.enqueue");

/**
 * The engine of a fleet: runs, their steps and queues are kept in Postgres by DBOS. A run whose process has ended is taken up by
 * another one, after its last recorded step.
 */
export class DbosEngine implements Engine, Runner {
  readonly #options: EngineOptions;
  readonly #queues = new Map<string, Queue>();
  readonly #schedules = new Map<string, Schedule>();
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  /** Jobs that are being done here. */
  readonly #active = new Set<Promise<unknown>>();
  readonly #enqueuing = new Set<Promise<unknown>>();
  readonly #working = new Working();
  readonly #backlog: Backlog;
  readonly #leftovers: Leftovers;
  readonly #pool: pg.Pool;
  #feeding: Promise<void> | undefined;
  #feed: NodeJS.Timeout | undefined;
  #tidy: NodeJS.Timeout | undefined;
  #engaged = false;
  #launched = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#backlog = new Backlog(options.database);
    this.#leftovers = new Leftovers(options.database, options.keepIdle);
    this.#pool = preparedPool(options.url, options.connections, "configc journal");
    // All jobs listen to them.
    setMaxListeners(0, this.#stop.signal, this.#abort.signal);
  }

  step: Steps["step"] = recordedStep;

  sleep: Steps["sleep"] = async (milliseconds, signal) => {
    const { clock } = this.#options;
    if (DBOS.isWithinWorkflow() && !DBOS.isInStep()) throw putOffUntil(clock.now() + milliseconds);
    await clock.sleep(milliseconds, signal);
  };

  async serve(queues: readonly Queue[]): Promise<void> {
    const { url, slot, works, queueInterval, log } = this.#options;
    for (const queue of queues) this.#queues.set(queue.name, queue);
    const queueNames = queues.flatMap(({ name }) => [name, onTopOf(name)]);
    engage(this);
    this.#engaged = true;
    dbRetryConfig.maxBackoffSec = RETRY_SECONDS;
    try {
      DBOS.setConfig({
        name: "configc",
        systemDatabaseUrl: url,
        systemDatabaseSchemaName: JOURNAL,
        systemDatabasePool: this.#pool,
        // Nothing here waits for messages or events of other runs.
        useListenNotify: false,
        applicationVersion: ABI,
        executorID: slot,
        // That is a command of its own: of two processes that begin on an empty database, one would lose.
        runMigrations: false,
        listenQueues: works ? [...queueNames, SCHEDULES] : [],
        schedulerPollingIntervalMs: 1_000,
        // Runs that are left for others make DBOS warn when it ends.
        logger: {
          ...log,
          warn: (text: unknown) => (this.#stop.signal.aborted ? log.debug(text) : log.warn(text)),
        },
      });
      await DBOS.launch();
      this.#launched = true;
      for (const { name, parallel } of queues)
        for (const [queue, most] of [
          [name, parallel],
          [onTopOf(name), mostInAll(parallel) - parallel],
        ] as const)
          await DBOS.registerQueue(queue, {
            partitionConcurrency: 1,
            workerConcurrency: most,
            minPollingIntervalMs: queueInterval,
          });
      await DBOS.registerQueue(SCHEDULES, { workerConcurrency: 4, minPollingIntervalMs: queueInterval });
      await this.#tellPlaces(queues);
      if (works)
        this.#tidy = setInterval(
          () => void this.#track(this.#leftovers.tidy()),
          Math.min(TIDY, this.#options.keepIdle + 1),
        ).unref();
      if (works && queues.length > 0)
        this.#feed = setInterval(() => void this.#takeTurns(), queueInterval).unref();
    } catch (error) {
      await this.close(0);
      throw journalError(error);
    }
  }

  async enqueue(...jobs: readonly Job[]): Promise<void> {
    await this.#add(jobs);
    await this.#takeTurns();
  }

  /** @param starts milliseconds since 1970: not begun before */
  async #add(jobs: readonly Job[], starts?: number): Promise<void> {
    if (!this.#launched)
      throw new RunError("Cancelled", "The engine has ended: what is due is found by others.", undefined);
    const shared = jobs.map((job) => ({
      ...job,
      share: this.#queues.get(job.queue)?.share?.(job.input) ?? "",
    }));
    await this.#track(this.#backlog.add(shared, starts));
  }

  async #track(work: Promise<unknown>): Promise<void> {
    this.#enqueuing.add(work);
    await work.finally(() => this.#enqueuing.delete(work));
  }

  /** How many jobs a worker does at once: the others bring as many into the engine as all together can take. */
  async #tellPlaces(queues: readonly Queue[]): Promise<void> {
    const { database, slot, works } = this.#options;
    const places = Object.fromEntries(queues.map(({ name, parallel }) => [name, works ? parallel : 0]));
    await database.query("UPDATE configc.workers SET places = $2 WHERE slot = $1", [
      slot,
      JSON.stringify(places),
    ]);
  }

  /** Brings jobs into the engine whose turn has come. One that doesn't come through now does at the next tick, here or elsewhere. */
  async #takeTurns(): Promise<void> {
    if (this.#stop.signal.aborted || this.#feeding !== undefined) return;
    this.#feeding = this.#takeAll().finally(() => {
      this.#feeding = undefined;
    });
    await this.#track(this.#feeding);
  }

  async #takeAll(): Promise<void> {
    for (const queue of this.#queues.values()) {
      // Who has no place free leaves it to those who have, unless one share has places here that are another's part.
      const { name, parallel } = queue;
      if (this.#working.of(name) >= parallel && this.#working.most(name) <= fairPart(parallel, 2)) continue;
      try {
        await this.#backlog.take({
          queue,
          begin: (taken) => outside.runInAsyncScope(() => begin(queue, taken)),
        });
      } catch (error) {
        this.#options.log.debug(error);
      }
    }
  }

  async schedule(schedule: Schedule): Promise<void> {
    this.#schedules.set(schedule.name, schedule);
    await DBOS.applySchedules([
      {
        scheduleName: schedule.name,
        workflowFn: scheduled,
        schedule: cronOf(schedule.seconds),
        context: schedule.name,
        queueName: SCHEDULES,
      },
    ]);
  }

  /** Of all workers: what waits may be done by any of them. */
  async idle(): Promise<void> {
    const queues = [...this.#queues.keys()];
    const queueName = queues.flatMap((queue) => [queue, onTopOf(queue)]);
    const status = [StatusString.ENQUEUED, StatusString.PENDING, StatusString.DELAYED];
    for (;;) {
      await Promise.allSettled(this.#enqueuing);
      // Jobs come from the one into the other and back: they are in at least one of them.
      const isEmpty =
        (await this.#backlog.waiting(queues)) === 0 &&
        (await DBOS.listWorkflows({ queueName, status, limit: 1, loadInput: false, loadOutput: false }))
          .length === 0 &&
        (await this.#backlog.waiting(queues)) === 0;
      if (isEmpty && this.#enqueuing.size === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async close(grace: number): Promise<void> {
    this.#stop.abort(new Error("The worker is closing."));
    clearInterval(this.#feed);
    clearInterval(this.#tidy);
    if (this.#launched) {
      await DBOSExecutor.globalInstance?.deactivateEventReceivers();
      const timer = setTimeout(() => this.#abort.abort(new Error("The worker was closed.")), grace);
      await Promise.allSettled([...this.#active, ...this.#enqueuing]);
      clearTimeout(timer);
      // Others needn't wait until this worker is missed.
      await this.takeOver(this.#options.slot).catch(() => undefined);
      this.#launched = false;
      await Promise.allSettled(this.#enqueuing);
    }
    // Also after a launch that failed: the process couldn't end otherwise.
    if (this.#engaged) await DBOS.shutdown();
    this.#engaged = false;
    disengage(this);
    if (!this.#pool.ending) await this.#pool.end();
  }

  /**
   * Lets the runs of a worker that has ended wait again, for any worker.
   *
   * @returns how many there were
   */
  async takeOver(slot: string): Promise<number> {
    const executor = DBOSExecutor.globalInstance;
    if (executor === undefined) throw new Error("The engine doesn't work yet.");
    return (await executor.recoverPendingWorkflows([slot])).length;
  }

  async job(name: string, key: string, input: Json, id: string | undefined): Promise<Json> {
    const queue = this.#queues.get(name);
    if (queue === undefined || this.#stop.signal.aborted) return await leave();
    const control = { stop: this.#stop.signal, signal: this.#abort.signal };
    const work = async (): Promise<Json> =>
      (await this.#options.held(key)) ? null : await queue.work(input, control);
    const done = work();
    const active = done.catch(() => undefined);
    this.#active.add(active);
    const share = queue.share?.(input) ?? "";
    this.#working.add(name, share, 1);
    try {
      const output = await done;
      if (queue.isIdle?.(output) === true) this.#leave();
      return output;
    } catch (error) {
      // It is at the end of a step, with its locks given back. Another worker goes on.
      if (this.#stop.signal.aborted && isCancelled(error)) return await leave();
      if (isPutOff(error)) {
        const { until } = error;
        // Without an id it is found at the next look.
        if (id !== undefined) await this.#add([{ queue: name, key, input, id }], until);
        return { putOffUntil: new Date(until).toISOString() };
      }
      if (isCancelled(error)) {
        // Another one has gone on with it, in another run.
        if (error.cause === undefined) return null;
        throw error.cause;
      }
      throw shown(error);
    } finally {
      this.#active.delete(active);
      this.#working.add(name, share, -1);
    }
  }

  async scheduled(name: string): Promise<void> {
    if (this.#stop.signal.aborted) return await leave();
    await this.#schedules.get(name)?.work();
    this.#leave();
  }

  /** Nobody will want to look at the run around this. */
  #leave(): void {
    const { workflowID } = DBOS;
    if (workflowID !== undefined) this.#leftovers.add(workflowID);
  }
}

/** A run that isn't over here doesn't end here either: its end would be recorded. */
function leave(): Promise<never> {
  return new Promise(() => undefined);
}

/** An error as it is recorded: the runtime has taken the secrets out of it, and nobody wants its stack in a database. */
function shown(error: unknown): Error {
  const { message, name } = error instanceof Error ? error : new Error(String(error));
  const said = new Error(message);
  said.name = error instanceof RunError ? error.kind : name;
  said.stack = "";
  return said;
}

/** Brings a job into the engine, unless it is there: whoever brought it may have died before it was taken out of the backlog. */
async function begin(queue: Queue, { id, key, input, onTop }: Taken): Promise<void> {
  const given = (await queue.prepare?.(input)) ?? input;
  await DBOS.startWorkflow(job, {
    workflowID: `${id} ${crypto.randomUUID()}`,
    queueName: onTop ? onTopOf(queue.name) : queue.name,
    enqueueOptions: { queuePartitionKey: key, deduplicationID: id },
    duplicationPolicy: "return-existing",
  })(queue.name, key, given, id);
}
