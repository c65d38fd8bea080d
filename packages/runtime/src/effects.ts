import type { Json } from "@configc/jq";

/** What a run may do to the world; the host passes it in. */
export interface Effects {
  readonly clock: Clock;
  readonly log: Log;
}

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export interface Log {
  write(entry: LogEntry): void;
}

export interface LogEntry {
  /** JSON Pointer of the command that writes. */
  readonly pointer: string;
  readonly message: string;
}

/** Values of the roots that expansions read; absent ones are missing values (D9). */
export interface RunContext {
  readonly custom_data?: Json;
  readonly data?: Json;
  readonly polling_state?: Json;
  readonly webhook?: { readonly url: string };
  readonly subdomain?: string;
}
