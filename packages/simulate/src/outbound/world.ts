import type { Fault } from "../world/fault.ts";

/** A contact that the platform hands to an outbound workflow. */
export interface ContactEvent {
  /** Number of the contact, from 1. */
  readonly contact: number;
  /** Which of its versions, from 1. */
  readonly version: number;
}

/** All that decides a run of an outbound workflow but the app. */
export interface OutboundWorld {
  readonly kind: "outbound";
  readonly seed: number;
  readonly events: readonly ContactEvent[];
  /** Contacts with numbers up to this one are known to the service before. */
  readonly known: number;
  /** Members that programs can do without are null or absent. */
  readonly gaps: boolean;
  /** A step is an event. */
  readonly faults: readonly Fault[];
}
