import type { Fault } from "../world/fault.ts";

/** Something that happens at a service that calls a webhook, and how the app comes to know. */
export interface WebhookEvent {
  readonly what: "create" | "update" | "delete";
  /** Number of the record, from 1. */
  readonly record: number;
  /** How often it is sent. */
  readonly times: number;
  /** It is sent after so many events more: late, and in another order. */
  readonly later: number;
  /** Sent by a stranger, who knows the address alone. */
  readonly forged: Forgery | undefined;
}

/** `unsigned`: without what signs it; `signature`: with a wrong one; `body`: signed, and then changed. */
export type Forgery = "unsigned" | "signature" | "body";

/** All that decides a run of an app with a webhook but the app. */
export interface WebhookWorld {
  readonly kind: "webhook";
  readonly seed: number;
  /** Records that are there before, where the app imports them. */
  readonly first: number;
  /** So many of the first events are sent while the history is imported. */
  readonly duringImport: number;
  readonly events: readonly WebhookEvent[];
  /** The customer goes through the setup again after the events, so that the webhook is updated. */
  readonly isSetUpAgain: boolean;
  /** Members that programs can do without are null or absent. */
  readonly gaps: boolean;
  /** Step 1 is the registration, then one an event, then the update, then the removal. */
  readonly faults: readonly Fault[];
}
