import { nodeHttp } from "./transport.ts";
import type { Credential, Credentials, Effects, Json, LogEntry, Platform } from "./types.ts";

/** Effects for tests: a real HTTP client, a clock that doesn't really wait, credentials in memory. */
export interface TestEffects extends Effects {
  readonly waits: number[];
  readonly logged: LogEntry[];
  readonly credentials: Credentials & {
    readonly kept: Map<string, Credential>;
    readonly broken: Map<string, string>;
    readonly writes: Credential[];
  };
  /** Moves the clock. */
  advance(milliseconds: number): void;
}

export const START = 1_700_000_000_000;

export function testEffects(credentials: Readonly<Record<string, Credential>> = {}): TestEffects {
  let now = START;
  let ids = 0;
  const waits: number[] = [];
  const logged: LogEntry[] = [];
  const kept = new Map(Object.entries(credentials));
  const broken = new Map<string, string>();
  const writes: Credential[] = [];
  return {
    waits,
    logged,
    advance(milliseconds) {
      now += milliseconds;
    },
    clock: {
      now: () => now,
      async sleep(milliseconds, signal) {
        signal?.throwIfAborted();
        waits.push(milliseconds);
        now += milliseconds;
      },
    },
    random: { next: () => 0.5, id: () => `id-${++ids}` },
    log: { write: (entry) => void logged.push(entry) },
    http: nodeHttp,
    credentials: {
      kept,
      broken,
      writes,
      read: async (connection) => kept.get(connection),
      async write(connection, credential) {
        writes.push(credential);
        kept.set(connection, credential);
      },
      markBroken: async (connection, reason) => void broken.set(connection, reason),
    },
    platform: contactsPlatform(),
  };
}

/** A platform with contacts in memory, found by email. */
function contactsPlatform(): Platform {
  const contacts: Record<string, Json>[] = [];
  return {
    fields: async (resource) => [{ id: "email", title: `Email of ${resource}`, required: true }],
    async upsert(_resource, item, { key }) {
      const known = contacts.findIndex(({ email }) => email === item["email"]);
      const contact = { ...contacts[known], ...item };
      if (known < 0) contacts.push(contact);
      else contacts[known] = contact;
      return { contact_id: known < 0 ? contacts.length : known + 1, ...contact, ...(key ? { key } : {}) };
    },
    sync: async (resource, action, data) => ({ resource, action, data }),
  };
}
