import type { Coverage } from "./coverage/coverage.ts";
import type { OutboundWorld } from "./outbound/world.ts";
import type { SetupWorld } from "./setup/world.ts";
import type { WebhookWorld } from "./webhook/world.ts";
import type { World } from "./world/world.ts";

/** What a simulation found; plain JSON. */
export interface Report {
  readonly version: 1;
  readonly parts: readonly PartReport[];
  /** Of the workflows that were chosen: what ran in any world. Undefined of two versions. */
  readonly coverage?: Coverage;
}

/** How data comes or goes: `history` is polled once, before a webhook. `setup`: what the customer chooses before. */
export type PartKind = "polling" | "history" | "webhook" | "outbound" | "setup";

/** All that decides a run but the app. */
export type AnyWorld = World | WebhookWorld | OutboundWorld | SetupWorld;

/** One way of data in a workflow: one that has a webhook and a history has two parts; the guided setup is one more. */
export interface PartReport {
  readonly kind: PartKind;
  readonly workflow: string;
  readonly intake: string | undefined;
  /** Why nothing could be tried; undefined where it was. */
  readonly untried: string | undefined;
  /** It couldn't be tried because it fails whatever the service is like: `untried` says how. */
  readonly failsAnyway?: boolean;
  /** For what the parameters and the answer are taken, a line each. */
  readonly roles: readonly string[];
  /** What is taken for granted, by the world file. */
  readonly assumptions: readonly string[];
  /** What couldn't be tried: never passed, never failed. */
  readonly notTried: readonly string[];
  readonly worlds: number;
  readonly cycles: number;
  readonly requests: number;
  /** Items that arrived once more, of all that arrived. */
  readonly again: number;
  readonly arrived: number;
  /** Where hardly a record arrived, and nothing in the config means to leave the others out. */
  readonly missing?: Missing;
  /** What was supposed, with its own verdict each. */
  readonly hypotheses: readonly Verdict[];
  readonly laws: readonly { readonly name: string; readonly summary: string; readonly isBroken: boolean }[];
  readonly failures: readonly Failure[];
}

/** Records that never arrived, of all worlds together in which nothing fails. */
export interface Missing {
  readonly records: number;
  /** How many the service had. */
  readonly of: number;
  /** How far they came: half a sentence. */
  readonly because: string;
}

/** What was seen of one hypothesis about the service or the customer. */
export interface Verdict {
  /** Such as `bounds`. */
  readonly topic: string;
  /** Such as `exclusive`. */
  readonly told: string;
  /** Worlds that have it, without those that broke for another reason: they say nothing of it. */
  readonly worlds: number;
  /** Laws that broke because of it, with the number of worlds in which they did. */
  readonly broken: readonly { readonly law: string; readonly worlds: number }[];
}

/** `pages`: the list moves under its pages; `lag`: lists show changes late; `bounds`: records on a bound; `faults`: something fails; `other`. */
export type Way = "pages" | "lag" | "bounds" | "faults" | "other";

/** A law that is broken, with the smallest world that shows it. */
export interface Failure {
  readonly law: string;
  /** How it is broken: a law that is broken in one way is told once. */
  readonly way: Way;
  readonly message: string;
  /** What has to be so at the service. Empty: nothing special. */
  readonly needs: readonly string[];
  /** The service may be derived wrongly instead: nothing but the app's own programs says what it is like (E274). */
  readonly isDoubtful?: true;
  readonly story: readonly string[];
  /** What would cure it. */
  readonly cure: string;
  /** JSON Pointer of the guilty place in the config. */
  readonly pointer: string;
  readonly seed: number;
  readonly world: AnyWorld;
}
