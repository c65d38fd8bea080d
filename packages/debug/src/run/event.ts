import type { Json, JsonObject, RunContext, RunPlace, TraceKind } from "@configc/runtime";

/**
 * Something that happened in a run that is debugged: an event of its trace with the values themselves, neither masked nor cut, since they
 * stay in this process until somebody looks. `part` begins what consists of runs (a cycle, an item), `over` is the end of all.
 */
export interface DebugEvent {
  /** Ascending from 1, without gaps. */
  readonly id: number;
  /** The event around it; 0 for none. */
  readonly parent: number;
  /** JSON Pointer of the command, intake or workflow. */
  readonly node: string;
  readonly kind: TraceKind | "part" | "over";
  readonly data: EventData;
  /** In how many others it stands; an `end` as deep as its beginning, an answer as its request. */
  readonly depth: number;
  /** The run of a command that it belongs to; undefined outside of one. */
  readonly run: DebuggedRun | undefined;
  /** What is saved, then. */
  readonly saved: Readonly<Record<string, JsonObject>>;
  /** How much the run had heard from the world until then: entries of `HeardLog`. */
  readonly heard: number;
  /** Requests that were sent until then. */
  readonly exchanges: number;
}

/** Members by kind, as `TraceEvent` has them; `input` and `output` may be replaced while the event is told. */
export interface EventData {
  readonly key?: string;
  input?: Json;
  output?: Json;
  readonly error?: unknown;
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status?: number;
  readonly failure?: string;
  readonly message?: string;
  readonly milliseconds?: number;
  readonly saved?: string;
  readonly keys?: readonly string[];
  /** Of a `part`: what a person calls it. */
  readonly label?: string;
}

/** One run of a command, with what expansions read in it. */
export interface DebuggedRun {
  /** JSON Pointer of the command that was run. */
  readonly node: string;
  readonly place: RunPlace;
  /** Its own, so that a person may put other values into it. */
  readonly context: { -readonly [Member in keyof RunContext]: RunContext[Member] };
  /** Of the whole run. */
  readonly input: Json;
}
