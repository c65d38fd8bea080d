import type { Json, JsonObject } from "@configc/jq";
import type { RunErrorKind } from "../errors.ts";
import type { AnsweredRequest } from "../journal.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { SaveScope } from "../step.ts";

/*
 * What is kept between runs. A row is JSON with an `id`; rows are replaced as a whole and never changed in place. What isn't
 * there is absent, not null.
 */

/** One workflow as one customer set it up (D43). */
export interface Installation {
  readonly id: string;
  /** The app, by the host's name for it. */
  readonly app: string;
  /** Name of the workflow. */
  readonly workflow: string;
  /** The host's own id of the customer whose it is (E47); absent where the host doesn't say. */
  readonly customer?: string;
  readonly status: InstallationStatus;
  /** By what it runs; absent until it was activated for the first time. */
  readonly settings?: Settings;
  /** The setup that is under way. */
  readonly draft?: Draft;
  /** Id of the connection of `settings`, or else of the draft: an index. */
  readonly connection?: string;
  /** Counts changes of the settings: webhooks that were made for older ones have to be updated. */
  readonly revision?: number;
  /** Whether what is under way also has polling begin again: the settings choose something else (E22). */
  readonly pollsAnew?: boolean;
  /** Why the last change of status didn't work; it is tried again, or was taken back. */
  readonly failure?: Failure;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly changedAt: number;
}

/**
 * `setup` was never active. `activating`, `updating` and `deactivating` are under way: after a crash they are taken up again.
 * A removed one stays as a record.
 */
export type InstallationStatus =
  | "setup"
  | "activating"
  | "active"
  | "updating"
  | "deactivating"
  | "paused"
  | "removing"
  | "removed";

/** What a customer chose in the guided setup of a workflow. */
export interface Settings {
  readonly connection?: string;
  /** What describe_connection gave. */
  readonly accountId?: string;
  readonly account?: string;
  /** `{id: {value, display?}}` (D12) */
  readonly customData: JsonObject;
  /** What describe_selection gave. */
  readonly resourceId?: string;
  readonly display?: string;
  readonly mapping?: Mapping;
  readonly importOption?: ImportOption;
}

/** Whether a poll goes on for ever or ends with its first import (D33). */
export type ImportOption = "single" | "recurring";

/** A step of the guided setup. */
export type SetupStep =
  | "connect"
  | "select"
  | "map"
  | "schedule"
  | "review_events"
  | "review_objects"
  | "ready";

/** A setup that isn't complete. */
export interface Draft {
  /** The step that is next. */
  readonly step: SetupStep;
  readonly settings: Settings;
}

/** An account of a third party that a customer connected. */
export interface Connection {
  readonly id: string;
  readonly app: string;
  /** Name in the app's `auth`. */
  readonly auth: string;
  /** The host's own id of the customer whose it is (E47); absent where the host doesn't say, or all share it. */
  readonly customer?: string;
  readonly accountId?: string;
  readonly description?: string;
  /** What the customer gave for `defined_fields.subdomain`. */
  readonly subdomain?: string;
  /** Sealed by a `Vault`. */
  readonly credential?: string;
  /** The token of a session, sealed. */
  readonly session?: string;
  /** Since when a renewal is under way whose answer isn't kept (yet), in milliseconds since 1970 (E13). */
  readonly renewing?: number;
  /** Why the customer has to connect again (D30). */
  readonly broken?: string;
}

/** What `!save` keeps (D24), for one owner: an installation, a connection or an app. */
export interface SavedValues {
  readonly id: string;
  readonly scope: SaveScope;
  readonly values: JsonObject;
}

/** Where the polling of an intake for an installation stands (D33). */
export interface PollingRecord {
  readonly id: string;
  readonly installation: string;
  readonly intake: string;
  /** `initial_setup` has run. */
  readonly ready: boolean;
  /** The app's `polling_state`. */
  readonly state: JsonObject;
  /** Number of the cycle that runs or ran last, from 1; it goes back only where an older state is restored. */
  readonly cycle: number;
  /** `polling`: between its first commit and the end of its iterations; `ending`: `post_poll` is still to run. */
  readonly phase: "idle" | "polling" | "ending";
  /** Committed iterations of the cycle. */
  readonly requests: number;
  /** Committed results of the cycle. */
  readonly results: number;
  /** Digests of the last pages of the cycle, newest last. */
  readonly recent: readonly string[];
  /** Iterations of all cycles since the last reset: the measure of a historical import (D34). */
  readonly allRequests: number;
  /** How the last cycle ended, or the current one is about to. */
  readonly reason?: PollReason;
  /** A single import that is complete: nothing more is polled. */
  readonly done: boolean;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The cycle isn't gone on with before: a rate limit wouldn't let it pass. */
  readonly waitUntil?: number;
  /** Failed tries since the last one that worked, and what went wrong. */
  readonly failures: number;
  readonly failure?: Failure;
  /** Since when no cycle has come to its end, in milliseconds since 1970; absent if the last one did. */
  readonly failingSince?: number;
}

/**
 * Why a cycle ended. `iterate`: nothing more to fetch; `empty`: no results; `repeat`: a page came again, also with one or two
 * others between; `limit`: the time of a cycle was used up, or an import was given up after so many failures.
 */
export type PollReason = "iterate" | "empty" | "repeat" | "max-requests" | "max-results" | "limit";

/** Why something failed, for people and for what tries it again; without secrets. */
export interface Failure {
  readonly kind: RunErrorKind | "Error";
  readonly message: string;
  readonly pointer: string;
  readonly status?: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The version of the app with which it failed, by the host's name for it; the pointer is one into that. */
  readonly version?: string;
}

/** An item on its way through a pipeline. Its id is the idempotency key of what the target does (D33). */
export interface Delivery {
  readonly id: string;
  readonly app: string;
  /** Absent where a payload couldn't be routed (D31). */
  readonly installation?: string;
  readonly intake: string;
  readonly origin: DeliveryOrigin;
  /** By which URL it came. */
  readonly hook?: string;
  readonly status: DeliveryStatus;
  /** Kept until the item has arrived. */
  readonly input?: Json;
  readonly attempts: number;
  /**
   * It, and what waits behind it, isn't looked at before: whether its sender has seen the answer isn't known (yet), or a rate limit wouldn't
   * let it pass.
   */
  readonly heldUntil?: number;
  readonly failure?: Failure;
  /** When the first of its tries failed, in milliseconds since 1970; absent once it has arrived or was set aside. */
  readonly failingSince?: number;
  /** What its pipeline had changed elsewhere before the surroundings failed, for the next try (E20). */
  readonly answered?: readonly AnsweredRequest[];
  /** Events of the failed run, redacted. */
  readonly trace?: Json;
  readonly receivedAt: number;
  readonly settledAt?: number;
}

/** `contact`: what the platform hands to an outbound workflow. */
export type DeliveryOrigin = "polling" | "historical" | "webhook" | "contact";

/** `skipped`: the source gave null. `failed`: for its own reasons, can be retried (D35). */
export type DeliveryStatus = "waiting" | "delivered" | "skipped" | "failed" | "unroutable";

/** A webhook at the third party: one for each owner of the intake's scope (D31). */
export interface Registration {
  readonly id: string;
  readonly app: string;
  readonly intake: string;
  readonly scope: SaveScope;
  /** Id of an installation or connection, or the app. */
  readonly owner: string;
  /** The hook that is in force. */
  readonly hook?: string;
}

/** An installation that uses a registration: they are counted (D32). */
export interface Member {
  readonly id: string;
  readonly registration: string;
  readonly installation: string;
}

/** One attempt to register a webhook, with a URL of its own: the journal of a registration (D32). */
export interface Hook {
  /** The unguessable part of the URL. */
  readonly id: string;
  readonly registration: string;
  readonly state: HookState;
  /** Installation in whose name it was made. */
  readonly installation: string;
  /** Of the installation's settings that it was made for. */
  readonly revision?: number;
  /** By whose credentials: an update may have changed those of the installation. */
  readonly connection?: string;
  /** What the requests of `create` were answered so far, maybe sealed: a repetition takes it from here. */
  readonly journal?: string;
  /** The same of an `update` that hasn't come to its end, with a digest of the settings that it is for. */
  readonly updating?: { readonly target: string; readonly journal: string };
  /** `create` has saved what it got: it isn't repeated. */
  readonly saved: boolean;
  /** What was saved when this hook was replaced or given up: what its `delete` reads. */
  readonly data?: Json;
  /** Why it may still be registered at the third party. */
  readonly orphan?: string;
  readonly createdAt: number;
}

/** `creating` and `deleting` are under way; a `retired` one answers 410. */
export type HookState = "creating" | "active" | "deleting" | "retired";

/** What a store keeps: the rows of each table. */
export interface Tables {
  readonly installations: Installation;
  readonly connections: Connection;
  readonly saved: SavedValues;
  readonly polling: PollingRecord;
  readonly deliveries: Delivery;
  readonly registrations: Registration;
  readonly members: Member;
  readonly hooks: Hook;
}

/** The name of a table of the store. */
export type TableName = keyof Tables;

/** By which members together rows can be found. */
export const indexes = {
  installations: [["app", "status"], ["app", "workflow"], ["connection"]],
  connections: [["app", "accountId"]],
  saved: [],
  polling: [["installation"]],
  deliveries: [
    ["installation", "status"],
    ["installation", "origin", "status"],
    ["app", "status"],
  ],
  registrations: [["app", "intake"]],
  members: [["registration"], ["installation"]],
  hooks: [["registration"], ["state"]],
} as const satisfies { readonly [T in TableName]: readonly (readonly (keyof Tables[T])[])[] };
