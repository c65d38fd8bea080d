import type { Json, JsonObject } from "@configc/jq";
import type { Memory, Room } from "./memory/memory.ts";

/** What a run may do to the world; the host passes it in. */
export interface Effects {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly http: Http;
  readonly credentials: Credentials;
  readonly platform: Platform;
  /** Shared by all apps of the process; absent, memory isn't counted. */
  readonly memory?: Memory;
  /**
   * Gives what is made with a secret of the run's own, a signature; absent, it is just made. A run that is replayed has the
   * signature, for it doesn't have the secret.
   */
  readonly sign?: (make: () => string) => string;
}

/** The time, and waiting: what a recorded run replays. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Resolves after that time; rejects with the signal's reason. A recorded run doesn't really wait. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Milliseconds from any beginning, which nobody sets: for windows of rate limits. Absent: `now`. */
  monotonic?(): number;
  /** IANA name; UTC if absent. */
  readonly timeZone?: string;
}

/** Chance: what a recorded run replays. */
export interface Random {
  /** 0 ≤ x < 1: jitter. */
  next(): number;
  /** An unguessable id of at least 128 bits, safe in URLs (D32). */
  id(): string;
}

/** Where `!print_c` and the runtime itself write. */
export interface Log {
  write(entry: LogEntry): void;
}

/** One line of the log, without secrets. */
export interface LogEntry {
  /** JSON Pointer of the command that writes. */
  readonly pointer: string;
  readonly message: string;
}

/**
 * One exchange, without redirects, retries or credentials of its own: those are the runtime's (D18, D21).
 * The host refuses addresses that aren't public unless told otherwise.
 */
export interface Http {
  /** @throws HttpFailure; MemoryFailure of the request's room */
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** A request as it is to be sent: nothing is added but what the transport needs. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute, normalised. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Milliseconds for the whole exchange. */
  readonly timeout: number;
  /** Bytes of the decoded body. */
  readonly maxBytes: number;
  /** For the body, from when its first byte comes until the answer was read. */
  readonly room?: Room;
}

/** A response of whatever status, with the bytes of its body. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; several of one name joined by a comma and a blank. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Where the credentials of connections are kept (D29, D30). */
export interface Credentials {
  /** Undefined: the connection has none (yet). */
  read(connection: string): Promise<Credential | undefined>;
  /**
   * Kept before the new token is used.
   *
   * @param replaced what it was renewed from: if something else has taken its place meanwhile, that stays
   */
  write(connection: string, credential: Credential, replaced?: OAuthCredential): Promise<void>;
  /**
   * Runs the renewal of a connection's token while no other process renews it; those that wait find the new one. Absent: there is one
   * process.
   */
  alone?<R>(connection: string, renew: () => Promise<R>): Promise<R>;
  /**
   * Notes, before a refresh token is sent, that it is: nobody may be left who keeps the answer.
   *
   * @param at milliseconds since 1970
   * @returns when that was noted before without an answer having been kept; undefined if it wasn't
   */
  renewing?(connection: string, at: number): Promise<number | undefined>;
  /** Three refreshes failed: the customer has to connect again. */
  markBroken(connection: string, reason: string): Promise<void>;
  /** Keeps tokens of sessions for all processes. Absent: each logs in for itself. */
  readonly sessions?: {
    read(connection: string): Promise<SessionToken | undefined>;
    write(connection: string, token: SessionToken): Promise<void>;
  };
}

/** What logging in gave. */
export interface SessionToken {
  readonly access_token: string;
  /** Milliseconds since 1970. */
  readonly expires_at?: number;
}

/** As in the CLI's credentials file. */
export type Credential = OAuthCredential | BasicCredential | TokenCredential;

/** The tokens of an `oauth2` connection, and the client's own id and secret (D28, D30). */
export interface OAuthCredential {
  readonly access_token: string;
  readonly refresh_token?: string;
  /** Milliseconds since 1970. */
  readonly expires_at?: number;
  /** Instead of the config's placeholders. */
  readonly client_id?: string;
  readonly client_secret?: string;
}

/** A user name and a password, for `basic` and `session` (D27). */
export interface BasicCredential {
  readonly username: string;
  readonly password: string;
}

/** A fixed token, for `token` (D27). */
export interface TokenCredential {
  readonly token: string;
}

/** The platform's own resources (D25): contacts above all. */
export interface Platform {
  /** Map options of `Resource.fields`. */
  fields(resource: string, signal: AbortSignal): Promise<Json>;
  /**
   * Creates or updates an item from a mapped object.
   *
   * @param options.key of this write: one that comes again under it is the same (D33)
   * @returns what the command yields
   */
  upsert(resource: string, item: JsonObject, options: { key?: string; signal: AbortSignal }): Promise<Json>;
  /**
   * `{action, data}` of `Resource.sync`.
   *
   * @param key as that of `upsert`
   */
  sync(resource: string, action: string, data: Json, signal: AbortSignal, key?: string): Promise<Json>;
}
