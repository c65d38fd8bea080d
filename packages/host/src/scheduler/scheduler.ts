import { type Control, type Engine, type Json, RunError, type Store } from "@configc/runtime";
import { isCancelled } from "@configc/runtime/internal";
import { asJob, type Circuits } from "../circuits/index.ts";
import type { Observe } from "../observe.ts";
import { backOff, happenedAt } from "./due.ts";
import { type Candidates, type Due, dueJobs, dueSince } from "./look.ts";
import { type Looked, looked } from "./looked.ts";
import { tryNow } from "./try-now.ts";
import type { Versions } from "./versions.ts";

/** What the scheduler tells about what it did. */
export interface JobReport {
  readonly app: string;
  readonly installation: string;
  readonly job: "poll" | "deliver" | "receive" | "resume" | "save";
  /** What the runtime gave, or why it failed. */
  readonly result?: unknown;
  readonly error?: unknown;
}

interface SchedulerOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly candidates: Candidates;
  readonly versions: Versions;
  readonly circuits: Circuits;
  readonly now: () => number;
  /** Seconds between two looks at what is due. */
  readonly interval: number;
  /** Installations that one process works for at once. */
  readonly parallel: number;
  /** Milliseconds for which settled deliveries are kept. */
  readonly retention: number;
  /** Milliseconds for which failed ones are kept. */
  readonly failedRetention: number;
  readonly report: (report: JobReport) => void;
  readonly observe: Observe;
  /** Is told how an app is served, by whichever process looked. */
  readonly looked: (look: Looked) => Promise<void>;
}

/** Seconds between two attempts to finish what is under way, and between two clean-ups. */
const RESUME_EVERY = 60;
const PRUNE_EVERY = 60 * 60;

/** A job for an installation, as it waits in the queue. The version is that of the app which it began with, and ends with. */
type InstallationJob = Due & { readonly app: string; readonly version?: string };
type Upkeep = { readonly app: string; readonly job: "resume" | "prune" };

/**
 * Has done for each installation what is due: a cycle, or the delivery of what waits. What is due follows from the store alone, so
 * nothing is lost with a process.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  /** Jobs in a row whose failure the store couldn't take, by installation, and when the last one failed. */
  readonly #failed = new Map<string, { readonly count: number; readonly at: number }>();
  #started = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Begins to do jobs. */
  async serve(): Promise<void> {
    await this.#options.engine.serve([
      {
        name: "installations",
        parallel: this.#options.parallel,
        prepare: async (input) => await this.#versioned(input as InstallationJob),
        share: (input) => (input as InstallationJob).app,
        circuit: (app) => this.#options.circuits.stateOf(app),
        probed: (app) => this.#options.circuits.probed(app),
        shares: () => this.#options.versions.current.size,
        isIdle: foundNothing,
        work: (input, control) => this.#work(input as InstallationJob, control),
      },
      // A job, not what is scheduled itself: so no two looks overlap, on whatever workers, and none piles up behind one that takes long.
      { name: "looks", parallel: 1, isIdle: () => true, work: () => this.#looked() },
      { name: "upkeep", parallel: 1, work: (input, control) => this.#upkeep(input as Upkeep, control) },
    ]);
  }

  /** Looks at once, and from then on at intervals, unless the engine ends meanwhile. */
  async start(): Promise<void> {
    const { engine, interval } = this.#options;
    if (this.#started) return;
    this.#started = true;
    try {
      await this.look();
      await this.#keepUp("resume");
      await this.#keepUp("prune");
    } catch (error) {
      if (isCancelled(error)) return;
      throw error;
    }
    // A store that fails is tried again at the next look.
    const told = async (work: () => Promise<void>): Promise<void> => {
      await work().catch((error: unknown) => this.#reportAll(error));
    };
    await engine.schedule({ name: "look", seconds: interval, work: () => told(() => this.look()) });
    for (const [job, seconds] of [
      ["resume", RESUME_EVERY],
      ["prune", PRUNE_EVERY],
    ] as const)
      await engine.schedule({ name: job, seconds, work: () => told(() => this.#keepUp(job)) });
  }

  /** Has all found that is due now. */
  async look(): Promise<void> {
    await this.#options.engine.enqueue({
      queue: "looks",
      key: "look",
      id: "look",
      input: null,
      behind: false,
    });
  }

  /** Tells the engine all that is due. What waits or is being done already is known to it. */
  async #looked(): Promise<Json> {
    const { candidates, versions, engine, now, observe } = this.#options;
    const found: Record<string, number> = {};
    try {
      for (const [app, runtime] of versions.current) {
        let look: Looked = { app, at: now(), installations: 0, broken: 0, due: 0 };
        for await (const some of candidates(app)) {
          const due = dueJobs(some, runtime, now());
          look = looked(look, some, due);
          const jobs = due.filter((one) => !this.#rests(one.due.installation));
          await engine.enqueue(
            ...jobs.map(({ due: one, ...turn }) => ({ ...jobOf(app, one), turn, behind: false })),
          );
        }
        found[app] = look.due;
        observe.due(app, look.due);
        await this.#options.looked(look);
      }
    } catch (error) {
      // A store that fails is tried again at the next look.
      if (!isCancelled(error)) this.#reportAll(error);
    }
    return found;
  }

  /** Delivers what waits for an installation, soon. */
  async deliver(app: string, installation: string): Promise<void> {
    if (!this.#options.versions.current.has(app) || this.#rests(installation)) return;
    await this.#options.engine.enqueue(jobOf(app, { installation, job: "deliver" }));
  }

  /** Tries again now what failed or waits for its time. @returns how many installations that changed */
  async retry(app: string, installation?: string): Promise<number> {
    this.#options.circuits.retry(app);
    if (installation === undefined) this.#failed.clear();
    else this.#failed.delete(installation);
    const changed = await tryNow(this.#options.store, app, installation);
    await this.look();
    return changed;
  }

  /** A run that goes on keeps the version that it began with. */
  async #versioned(input: InstallationJob): Promise<InstallationJob> {
    return input.version === undefined
      ? { ...input, version: await this.#options.versions.versionOf(input.app) }
      : input;
  }

  async #keepUp(job: Upkeep["job"]): Promise<void> {
    for (const app of this.#options.versions.current.keys())
      await this.#options.engine.enqueue({
        queue: "upkeep",
        key: app,
        input: { app, job },
        id: `${job} ${app}`,
      });
  }

  async #work(given: InstallationJob, control: Control): Promise<Json> {
    const { store, engine, versions, now, observe } = this.#options;
    const { app, installation, job, version = "" } = given;
    const runtime = await versions.runtime(app, version);
    if (runtime === undefined) {
      // Observed as any other run: what fails without being counted fails unheard of.
      const run = { app, installation, job, version, late: undefined };
      return await observe.run(run, () =>
        this.#reported(run, () => Promise.reject(goneVersion(app, version))),
      );
    }
    const since = await engine.step("due", () => dueSince(store, runtime, given, now()));
    if (since === null) return null;
    const late = since === 0 ? undefined : Math.max(0, now() - since);
    const run = { app, installation, job, version, late };
    const result = await observe.run(run, (trace) =>
      this.#reported(run, () =>
        asJob(() => runtime[job](installation, { ...control, ...(trace === undefined ? {} : { trace }) })),
      ),
    );
    return { ...result };
  }

  /** Reports while the run is observed: a line of a log belongs to its trace. */
  async #reported<R extends object>(
    { app, installation, job }: Omit<InstallationJob, "version">,
    work: () => Promise<R>,
  ): Promise<R> {
    const { report, now } = this.#options;
    try {
      const result = await work();
      this.#failed.delete(installation);
      report({ app, installation, job, result });
      return result;
    } catch (error) {
      if (!isCancelled(error)) {
        // All else is written down where operators and other workers find it, and `retry` of any process ends its wait.
        if (error instanceof RunError && error.kind === "StoreError") {
          const count = (this.#failed.get(installation)?.count ?? 0) + 1;
          this.#failed.set(installation, { count, at: now() });
        }
        report({ app, installation, job, error });
      }
      throw error;
    }
  }

  async #upkeep({ app, job }: Upkeep, control: Control): Promise<Json> {
    const { versions, report, now, retention, failedRetention } = this.#options;
    const runtime = versions.current.get(app);
    if (runtime === undefined) return null;
    try {
      if (job === "prune") return await runtime.prune(now() - retention, now() - failedRetention);
      return (await runtime.resume(control)).map(({ id }) => id);
    } catch (error) {
      if (!isCancelled(error)) report({ app, installation: "", job: "resume", error });
      throw error;
    }
  }

  #rests(installation: string): boolean {
    const failed = this.#failed.get(installation);
    if (failed === undefined) return false;
    const now = this.#options.now();
    return happenedAt(failed.at, now) + backOff(failed.count) > now;
  }

  #reportAll(error: unknown): void {
    for (const app of this.#options.versions.current.keys())
      this.#options.report({ app, installation: "", job: "resume", error });
  }
}

/** A job that wasn't due any more, or a cycle without items. */
function foundNothing(output: Json): boolean {
  if (output === null || typeof output !== "object") return output === null;
  const { delivered, skipped, failed } = output as Readonly<Record<string, unknown>>;
  return delivered === 0 && skipped === 0 && failed === 0;
}

function goneVersion(app: string, version: string): RunError {
  return new RunError(
    "NotFound",
    `This run began with the version \`${version}\` of the app \`${app}\`, which isn't kept any more, so it can't be ended with that. What it committed stays: the next run goes on from there, with the version of now.`,
    undefined,
  );
}

function jobOf(app: string, { installation, job }: Due) {
  const key = `${app}/${installation}`;
  return { queue: "installations", key, input: { app, installation, job }, id: `${job} ${key}` };
}
