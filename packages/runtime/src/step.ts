import type { AppNode, AppProgram } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import type { Effects } from "./effects.ts";
import type { Journal } from "./journal.ts";
import type { Limits } from "./limits.ts";
import type { Room } from "./memory/memory.ts";
import type { Tracer } from "./trace.ts";

/** Values of the roots that expansions read; absent ones are missing values (D9). */
export interface RunContext {
  readonly custom_data?: Json;
  readonly polling_state?: Json;
  readonly webhook?: { readonly url: string };
  readonly subdomain?: string;
  /** What is saved, by scope. A run reads it here unless `saved` is given. */
  readonly data?: Json;
  /** The contact being processed: what `!resource` yields as an outbound source. */
  readonly contact?: Json;
  /** Saved mapping (D36). */
  readonly mapping?: Json;
}

/** Values kept by `!save` (D24). */
export interface SavedData {
  /** By scope; the object isn't changed by later saves. */
  read(): Readonly<Record<string, JsonObject>>;
  /** Merges, durable when it resolves. */
  merge(scope: SaveScope, members: JsonObject): Promise<void>;
}

/** Whose values a `!save` stores (D24). */
export type SaveScope = "workflow" | "connection" | "application";

/** Where in an app a command stands: decides what `!resource` means and whether pagination applies (D22, D25). */
export type RunPlace = "setup" | "source" | "target" | "polling" | "webhook";

/** What a run has used so far; counted by the commands that use it. */
interface Usage {
  /** HTTP exchanges. */
  requests: number;
  /** Calls of the platform that write. */
  writes: number;
  /** What the user typed into a field (D43): taken by the first `!http` of the run. */
  search: Search | undefined;
  /** When the run has to be over: milliseconds since 1970, by the clock of the effects. */
  readonly deadline: number;
}

/**
 * Lets a run be put off that would wait long, for a rate limit or because a service wants to be asked later: as long as nothing else was
 * sent, for it would be sent again.
 */
export interface PutOff {
  /** Milliseconds for which it waits in its place. */
  readonly patience: number;
  /** Whether a request was sent, by this run or by one before that it is repeated with. */
  sent: boolean;
}

/** What a customer typed to search the choices of a field (D43). */
export interface Search {
  /** Name of the query parameter: the field's `search_term`. */
  readonly parameter: string;
  readonly term: string;
}

/** One run of a jq program, as it was: for comparing it with another jq. Nothing in it is redacted. */
export interface ProgramRun {
  readonly place: AppNode;
  readonly program: AppProgram;
  /** Values of the program's holes. */
  readonly holes: readonly Json[];
  readonly input: Json;
  /** Milliseconds since 1970, as the program saw it. */
  readonly now: number;
  /** What it gave, or how it failed; `limit` if it was stopped. */
  readonly outcome:
    | { readonly output: Json }
    | { readonly failure: "error" | "limit"; readonly message: string };
}

/** What a command sees while it runs. */
export interface Frame {
  readonly effects: Effects;
  readonly limits: Limits;
  readonly usage: Usage;
  readonly tracer: Tracer;
  /** The trace event that this step belongs to. */
  readonly span: number;
  readonly context: RunContext;
  /** What `custom_data` gives: not always what the context has (D38). */
  readonly customData: () => Json | undefined;
  readonly saved: SavedData;
  /** Key of credentials, rate limits and token refresh; undefined: requests go without credentials. */
  readonly connection: string | undefined;
  /** Name in the app's `auth`. */
  readonly auth: string | undefined;
  readonly signal: AbortSignal;
  /** For what the run reads; undefined where memory isn't counted. */
  readonly room: Room | undefined;
  /** Initial input and outputs so far of the innermost pipe (D14); undefined outside of one. */
  readonly piped: readonly Json[] | undefined;
  readonly place: RunPlace;
  /** Is told each run of a jq program. */
  readonly onProgram: ((run: ProgramRun) => void) | undefined;
  /** Of the item being delivered: makes a repeated write one (D33). */
  readonly idempotencyKey: string | undefined;
  /** Of a run that may be taken up again. */
  readonly journal: Journal | undefined;
  /** Of a run that may be begun anew later. */
  readonly putOff: PutOff | undefined;
}

/** A command as a closure: made once, run often. Asynchronous only where it has an effect. */
export type Step = (input: Json, frame: Frame) => Json | Promise<Json>;
