import type { Delivery } from "@configc/runtime";
import type { Exchange } from "../exchange.ts";
import type { Collection } from "../service/collection.ts";
import type { PlatformWrite } from "../stage/stage.ts";
import type { StepFailure } from "../stage/tries.ts";
import type { ServiceHook } from "./hooks.ts";
import type { Forgery, WebhookWorld } from "./world.ts";

/** A delivery as it was sent, and what became of it. */
export interface Sent {
  /** Index among the events. */
  readonly event: number;
  readonly record: number;
  readonly version: number;
  readonly forged: Forgery | undefined;
  /** Whose record it is. */
  readonly installation: string;
  readonly hook: number;
  /** The payloads that were sent, one a try: by them it is known in the store. */
  readonly texts: readonly string[];
  readonly at: number;
  /** Statuses that the app answered, one a try. */
  readonly answers: readonly number[];
  /** What it said with the last one. */
  readonly said: string;
}

/** What became of an item in the outbox. */
export interface Kept {
  readonly origin: Delivery["origin"];
  readonly installation: string | undefined;
  readonly text: string;
  readonly status: Delivery["status"];
  readonly failure: string | undefined;
  readonly isApps: boolean;
  readonly at: number;
  readonly id: string;
}

/** One step of a world: a registration, an event, a setup, a removal. */
export interface StepLog {
  readonly number: number;
  readonly what: "registration" | "import" | "event" | "setup" | "removal";
  readonly at: number;
  readonly event: number | undefined;
  /** Why the app couldn't do it, after all tries. */
  readonly failure: StepFailure | undefined;
  readonly exchanges: readonly Exchange[];
  /** Whether the process ended in it. */
  readonly hasDied: boolean;
  /** URLs that the service calls after it, and those that the app counts on. */
  readonly called: readonly string[];
  readonly inForce: readonly string[];
}

/** Everything that a world made of an app with a webhook. */
export interface WebhookLog {
  readonly world: WebhookWorld;
  readonly collection: Collection;
  readonly steps: readonly StepLog[];
  readonly sent: readonly Sent[];
  /** What was settled, in that order; the last one of an id counts. */
  readonly kept: readonly Kept[];
  readonly hooks: readonly ServiceHook[];
  /** URLs of hooks of which the runtime said that they may be left behind. */
  readonly reported: ReadonlySet<string>;
  readonly writes: readonly PlatformWrite[];
  readonly exchanges: readonly Exchange[];
  /** What nobody but the service may see. */
  readonly secrets: readonly string[];
  /** Challenges that the app didn't answer. */
  readonly unanswered: readonly { readonly at: number; readonly status: number }[];
}
