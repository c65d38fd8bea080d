/** What a run did, as it is kept for operators (E203): no bodies, no headers, no secrets. Times are in milliseconds since 1970. */
export interface Story {
  /** Slot of the worker that tells it. A run that others went on with has one of each. */
  readonly worker: string;
  readonly begun: number;
  readonly ended: number;
  readonly outcome: "done" | "failed" | "put off" | "ended";
  /** In their order; of many the first and the last. Those that sent nothing, saved nothing and didn't fail aren't there. */
  readonly commands: readonly StoryCommand[];
  /** How many aren't there because there were too many. */
  readonly left?: number;
  /** `polling_state` before the first command and after the last, as JSON, cut where it is long. */
  readonly state?: {
    readonly before: string;
    /** Absent: it stayed as it was. */
    readonly after?: string;
  };
}

/** A command that ran. */
export interface StoryCommand {
  /** JSON Pointer into the config of the run's version. */
  readonly node: string;
  /** The item that it ran for. */
  readonly item?: string;
  readonly at: number;
  readonly milliseconds: number;
  readonly requests: readonly StoryRequest[];
  /** Requests that aren't there because there were too many. */
  readonly left?: number;
  /** What `!save` kept: scope and names. */
  readonly saved?: readonly string[];
  /** `HttpError: …`; the first lines of it. */
  readonly failure?: string;
}

export interface StoryRequest {
  readonly method: string;
  /** Without secrets. */
  readonly url: string;
  /** Undefined: there was no answer. */
  readonly status?: number;
  /** Why there was none, or none that could be used. */
  readonly failure?: string;
  readonly milliseconds?: number;
  /** UTF-16 units of the answer's text. */
  readonly length?: number;
  /** Milliseconds that were waited before it, and what for. */
  readonly waited?: { readonly milliseconds: number; readonly reason: string };
}
