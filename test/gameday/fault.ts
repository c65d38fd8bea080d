import type { Day, DayOptions } from "./day.ts";

/** What tells somebody that there is a fault. */
export type Signal =
  /** An alert rule of ours fires. */
  | { readonly alert: string }
  /** An expression on our metrics gives something, where no alert is due: it concerns one customer, or mends itself. */
  | { readonly metric: string }
  /** A worker's log line begins so. */
  | { readonly log: string }
  /** `/readyz` answers so. */
  | { readonly readyz: 503 }
  /** A verb ends with a status. */
  | { readonly verb: readonly string[]; readonly status: number };

/** What names the fault. */
export type Answer =
  /** `failing` tells of one reason, at its line of the config, and `why` of one of its installations. */
  | {
      readonly verb: "failing";
      readonly kind: string;
      readonly status?: number;
      readonly pointer: string;
      /** Those whose turn didn't come before their service was left alone don't fail: then there are two numbers. */
      readonly installations: number | readonly [least: number, most: number];
      readonly says?: RegExp;
    }
  /** `items --failed` lists items with this reason at its line of the config. */
  | {
      readonly verb: "items";
      readonly kind: string;
      readonly pointer: string;
      readonly items: number;
      readonly says?: RegExp;
    }
  /** A worker's log says it, in a line that has this. */
  | { readonly log: string }
  /** Another verb prints it. */
  | { readonly verb: readonly string[]; readonly says: RegExp };

export interface Fault {
  readonly name: string;
  /** What is broken, for readers. */
  readonly broken: string;
  readonly options?: Pick<DayOptions, "workers" | "settings" | "version">;
  /** The schema of Postgres whose tables lie on a small disk of their own. Where none can be mounted, the fault is skipped. */
  readonly disk?: "configc" | "dbos";
  breaks(day: Day): Promise<void>;
  readonly signal: Signal;
  /** Minutes after which the signal has to be there. */
  readonly within: number;
  readonly answer: Answer;
  /** What is put right elsewhere: at the service, by the customer, in the config. */
  readonly mended: string;
  mends?(day: Day): Promise<void>;
  /** What the operator does then, as arguments of `configc-host`. `ITEM` stands for the first failing item. */
  readonly acts: readonly (readonly string[])[];
  /** Waits for what an act has workers do. */
  between?(day: Day): Promise<void>;
  /** Nothing failed for it, so the next cycle brings what was ordered meanwhile. */
  readonly nextCycle?: true;
  /** Orders that don't arrive, because somebody gave them up. */
  readonly lost?: readonly string[];
  /** What else has to be so in the end. */
  after?(day: Day): Promise<void>;
}

/** A fault of an embedded host, which has neither verbs nor alerts: its owner's program is told, and asks and acts by calls. */
export interface EmbeddedFault {
  readonly name: string;
  readonly broken: string;
  /** Signal, answer and what mends it, for readers. */
  readonly told: string;
  readonly named: string;
  readonly mended: string;
  /** Has it happen on a small disk, looks whether it is told, mends it, and looks that nothing was lost or doubled. @throws Error that says what is wrong */
  play(): Promise<void>;
}

export type AnyFault = Fault | EmbeddedFault;

/** Whether it happens on a disk of its own, which can't be mounted everywhere. */
export const needsDisk = (fault: AnyFault): boolean => "play" in fault || fault.disk !== undefined;
