import type { Fault } from "../world/fault.ts";

/** Something that happens at a service that calls a webhook, and how the app comes to know. */
export interface WebhookEvent {
  readonly what: "create" | "update" | "delete";
  /** Which record: a new one for `create`, else one of those that are there, counted round and round. */
  readonly record: number;
  /** How often it is sent. */
  readonly times: number;
  /** It is sent after so many events more: late, and in another order. */
  readonly later: number;
  /** Sent by a stranger, who knows the address alone. */
  readonly forged: Forgery | undefined;
}

/** `unsigned`: without what proves its sender; `signature`: with a wrong proof; `body`: with the proof of another body. */
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
  /** Installations, of other choices or other customers. */
  readonly installations: number;
  /** The customer goes through the setup again after the events, so that the webhook is updated. */
  readonly isSetUpAgain: boolean;
  /** Deliveries have a number, in the usual header where the app names none. */
  readonly isNumbered: boolean;
  /** Bodies have blanks and escapes that nobody needs. */
  readonly isSpaced: boolean;
  /** Members that programs can do without are null or absent. */
  readonly gaps: boolean;
  /** Long texts and foreign scripts. */
  readonly isForeign: boolean;
  /** Step 1 is the registration, then one an event, then the update, then the removal. */
  readonly faults: readonly Fault[];
}
