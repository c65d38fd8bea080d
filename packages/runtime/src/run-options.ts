import type { Json } from "@configc/jq";
import type { AnsweredRequest, Journal } from "./journal.ts";
import type { Limits } from "./limits.ts";
import type { Room } from "./memory/memory.ts";
import type { ProgramRun, PutOff, RunContext, RunPlace, SavedData, Search } from "./step.ts";
import type { Tracer } from "./trace.ts";

/** What one run of a command takes. */
export interface RunOptions {
  /** What the command takes; by default the object of the roots (D16). */
  readonly input?: Json;
  /** Values of the roots that expansions read. */
  readonly context?: RunContext;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<Limits>;
  /** Key of the connection's credentials and quota; without it requests carry no credentials. */
  readonly connection?: string;
  /** Name in the app's `auth`; by default that of the workflow at the place. */
  readonly auth?: string;
  /** What `!save` writes and `data` reads; by default `context.data`, kept for this run. */
  readonly saved?: SavedData;
  /** From `createTracer`; it may be shared by several runs. */
  readonly trace?: Tracer;
  /** The trace event that this run belongs to. */
  readonly parent?: number;
  /** By default as the pointer says. */
  readonly place?: RunPlace;
  readonly idempotencyKey?: string;
  /** Lets an interrupted run be taken up again. */
  readonly journal?: Journal;
  /** Instead of a journal: answers to the first requests of the run, which aren't sent (E20). */
  readonly answered?: readonly AnsweredRequest[];
  /** Lets the run fail with `Cancelled` and `until` instead of waiting long for a rate limit. */
  readonly putOff?: PutOff;
  /** Is told each run of a jq program: for comparing it with another jq. */
  readonly onProgram?: (run: ProgramRun) => void;
  /** D43 */
  readonly search?: Search;
  /** Where what the run gives is held as long as this; by default it is counted until the run ends (E23). */
  readonly room?: Room;
}

/**
 * Runs one command.
 *
 * @param node the command in the config: a JSON Pointer, or a path of names as for `configc run`
 * @returns its output
 * @throws RunError with the place in the config, and without secrets
 */
export type RunCommand = (node: string, options?: RunOptions) => Promise<Json>;
