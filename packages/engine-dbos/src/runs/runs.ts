import { type Json, RunError } from "@configc/runtime";
import { DBOSClient, StatusString, type WorkflowStatus } from "@dbos-inc/dbos-sdk";
import type pg from "pg";
import { limitOf, type Page, pageOf } from "../answers/page.ts";
import { JOURNAL } from "../engine/journal.ts";
import type { Recorded } from "../engine/step.ts";
import { preparedPool } from "../postgres/prepared-pool.ts";
import type { Queries } from "../postgres/types.ts";
import { type RunPageFilter, type RunPlace, runPageStatement } from "./run-page.ts";

/** A run as its journal has it. */
export interface Run {
  readonly id: string;
  readonly status: string;
  readonly app: string;
  readonly installation: string;
  readonly job: string;
  /** Of the app. */
  readonly version: string;
  /** Slot of the worker that has it, or had it last; absent before it was begun. */
  readonly worker?: string;
  /** How often it was begun or taken up. */
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly enqueued: number;
  readonly begun?: number;
  readonly ended?: number;
  readonly output?: Json;
  readonly error?: string;
}

/** A step of a run, as the engine recorded it. */
export interface RecordedStep {
  readonly number: number;
  readonly name: string;
  readonly output?: Json;
  readonly error?: string;
  readonly begun?: number;
  readonly ended?: number;
}

/** Which runs are asked for. */
export interface RunFilter {
  readonly app?: string;
  readonly installation?: string;
  readonly status?: "waiting" | "running" | "done" | "failed" | "cancelled";
  /** Newest first. Default 50. */
  readonly limit?: number;
}

const statuses = {
  waiting: [StatusString.ENQUEUED, StatusString.DELAYED],
  running: [StatusString.PENDING],
  done: [StatusString.SUCCESS],
  failed: [StatusString.ERROR, StatusString.MAX_RECOVERY_ATTEMPTS_EXCEEDED],
  cancelled: [StatusString.CANCELLED],
} as const;

const QUEUE = "installations";

/** What operators do with runs: look at them, end them, and have them taken up. */
export class Runs {
  readonly #client: DBOSClient;
  readonly #pool: pg.Pool;
  readonly #database: Queries;

  private constructor(client: DBOSClient, pool: pg.Pool, database: Queries) {
    this.#client = client;
    this.#pool = pool;
    this.#database = database;
  }

  /** @throws Error if the database can't be reached */
  static async open(url: string, database: Queries): Promise<Runs> {
    const pool = preparedPool(url, 4, "configc runs");
    const client = await DBOSClient.create({
      systemDatabaseUrl: url,
      systemDatabasePool: pool,
      systemDatabaseSchemaName: JOURNAL,
      applicationName: "configc",
    });
    return new Runs(client, pool, database);
  }

  async list({ app, installation, status, limit = 50 }: RunFilter = {}): Promise<readonly Run[]> {
    const found = await this.#client.listWorkflows({
      // Not by queue: what was cancelled is in none.
      workflow_id_prefix: ["poll", "deliver"].map((job) => prefix(job, app, installation)),
      ...(status === undefined ? {} : { status: [...statuses[status]] }),
      sortDesc: true,
      limit,
    });
    return found.map(runOf);
  }

  /**
   * The runs of a page, the newest first; quick however many there are.
   *
   * @throws RangeError for a limit or a place that is none
   */
  async page(filter: RunPageFilter = {}): Promise<Page<Run>> {
    const { text, values } = runPageStatement(
      filter,
      filter.status === undefined ? [] : statuses[filter.status],
    );
    const { rows, next } = pageOf(
      await this.#database.query<RunPlace>(text, values),
      limitOf(filter.limit),
      ({ id }) => id,
      ({ id, created }) => [created, id],
    );
    const found =
      rows.length === 0
        ? []
        : await this.#client.listWorkflows({ workflowIDs: [...rows], limit: rows.length });
    const runs = new Map(found.map((each) => [each.workflowID, runOf(each)]));
    // One that was forgotten in between is left out.
    return { rows: rows.flatMap((id) => runs.get(id) ?? []), ...(next === undefined ? {} : { next }) };
  }

  /** @throws RunError `NotFound` */
  async inspect(id: string): Promise<Run & { readonly steps: readonly RecordedStep[] }> {
    const run = runOf(await this.#find(id));
    const steps = (await this.#client.listWorkflowSteps(id)) ?? [];
    return {
      ...run,
      steps: steps.map(({ functionID, name, output, error, startedAtEpochMs, completedAtEpochMs }) => ({
        number: functionID,
        name,
        ...(error === null ? outcomeOf(output) : { error: error.message }),
        ...(startedAtEpochMs === undefined ? {} : { begun: startedAtEpochMs }),
        ...(completedAtEpochMs === undefined ? {} : { ended: completedAtEpochMs }),
      })),
    };
  }

  /** Ends a run before its next step. What it committed stays; the next run for the installation goes on from there. */
  async cancel(id: string): Promise<void> {
    await this.#find(id);
    await this.#client.cancelWorkflow(id);
  }

  /** Has a run that was cancelled, or that was begun too often, taken up after its last recorded step. */
  async resume(id: string): Promise<void> {
    await this.#find(id);
    await this.#client.resumeWorkflow(id, { queueName: QUEUE });
  }

  /**
   * Has a copy of a run taken up before one of its steps: what was committed is found in the store, what wasn't is done again.
   *
   * @returns the id of the copy
   */
  async fork(id: string, step: number): Promise<string> {
    const { queuePartitionKey } = await this.#find(id);
    const forked = await this.#client.forkWorkflow(id, step, {
      newWorkflowID: `${id} from ${step} ${crypto.randomUUID().slice(0, 8)}`,
      queueName: QUEUE,
      ...(queuePartitionKey === undefined ? {} : { queuePartitionKey }),
    });
    return forked;
  }

  /**
   * Holds an installation: what runs for it is ended before its next step, and nothing is begun until it is released.
   *
   * @throws RunError `NotFound` if there is no such installation
   */
  async hold(app: string, installation: string): Promise<void> {
    const known = await this.#database.query(
      "SELECT 1 FROM configc.installations WHERE id = $1 AND by_app = $2",
      [installation, app],
    );
    if (known.length === 0)
      throw new RunError(
        "NotFound",
        `There is no installation \`${installation}\` of \`${app}\`.`,
        undefined,
      );
    const running = await this.list({ app, installation, status: "running" });
    await this.#database.query(
      "INSERT INTO configc.holds (app, installation, run) VALUES ($1, $2, $3) ON CONFLICT (app, installation) DO NOTHING",
      [app, installation, running[0]?.id ?? null],
    );
    for (const { id } of running) await this.#client.cancelWorkflow(id);
  }

  /** The run that was ended goes on. @returns false if the installation wasn't held */
  async release(app: string, installation: string): Promise<boolean> {
    const [row] = await this.#database.query<{ run: string | null }>(
      "DELETE FROM configc.holds WHERE app = $1 AND installation = $2 RETURNING run",
      [app, installation],
    );
    if (row?.run !== undefined && row.run !== null)
      await this.resume(row.run).catch((error: unknown) => {
        // It was held for so long that the run is forgotten: the next one goes on from what was committed.
        if (!(error instanceof RunError && error.kind === "NotFound")) throw error;
      });
    return row !== undefined;
  }

  /** Deletes what is over since a time. @returns how many runs are gone */
  async prune(before: number): Promise<number> {
    const status = [...statuses.done, ...statuses.failed, ...statuses.cancelled];
    let pruned = 0;
    for (;;) {
      const old = await this.#client.listWorkflows({
        status,
        endTime: new Date(before).toISOString(),
        limit: 500,
        loadInput: false,
        loadOutput: false,
      });
      if (old.length === 0) return pruned;
      await this.#client.deleteWorkflows(old.map(({ workflowID }) => workflowID));
      pruned += old.length;
    }
  }

  async close(): Promise<void> {
    await this.#client.destroy();
    await this.#pool.end();
  }

  async #find(id: string): Promise<WorkflowStatus> {
    const found = await this.#client.getWorkflow(id);
    if (found === undefined || found === null)
      throw new RunError(
        "NotFound",
        `There is no run \`${id}\`. \`inspect\` lists the newest; they are kept for \`runDays\`, and for a minute if they found nothing to do.`,
        undefined,
      );
    return found;
  }
}

/** What a step gave, or how it failed: as `recordedStep` has written it. */
function outcomeOf(recorded: unknown): Pick<RecordedStep, "output" | "error"> {
  const { value, failure } = (recorded ?? {}) as Recorded;
  if (failure !== undefined) return { error: `${failure.kind}: ${failure.message}` };
  return value === undefined ? {} : { output: value };
}

function prefix(job: string, app: string | undefined, installation: string | undefined): string {
  if (app === undefined) return `${job} `;
  return installation === undefined ? `${job} ${app}/` : `${job} ${app}/${installation} `;
}

function runOf(status: WorkflowStatus): Run {
  const { workflowID, executorId, dequeuedAt, completedAt, output, error } = status;
  const [, , input] = (status.input ?? []) as readonly unknown[];
  const given = (typeof input === "object" && input !== null ? input : {}) as Readonly<
    Record<string, unknown>
  >;
  const text = (name: string): string => String(given[name] ?? "");
  const attempts = status.recoveryAttempts ?? 0;
  return {
    id: workflowID,
    status: wordOf(status.status),
    app: text("app"),
    installation: text("installation"),
    job: text("job"),
    version: text("version"),
    // Before it is begun, that of the process which enqueued it stands there.
    ...(attempts === 0 || executorId === undefined || executorId === "" ? {} : { worker: executorId }),
    attempts,
    enqueued: status.createdAt,
    ...(dequeuedAt === undefined ? {} : { begun: dequeuedAt }),
    ...(completedAt === undefined ? {} : { ended: completedAt }),
    ...(output === undefined || output === null ? {} : { output: output as Json }),
    ...(error instanceof Error ? { error: `${error.name}: ${error.message}` } : {}),
  };
}

function wordOf(status: string): string {
  const found = Object.entries(statuses).find(([, known]) => (known as readonly string[]).includes(status));
  return found?.[0] ?? status;
}
