import type { App, AppWorkflow } from "@configc/compiler";
import type { Connection, Installation, PollingRecord } from "@configc/runtime";

/** Seconds between cycles where neither the schedule step nor the intake says it. */
const USUAL = 1_800;

/** Milliseconds before the first try after a failure; each further one doubles it. */
const FIRST_WAIT = 30_000;
/** Not longer than a usual period: who comes back is noticed soon, and nobody is asked more often than if all was well. */
const LONGEST_WAIT = 15 * 60_000;

/** How long to leave a source alone after so many failures in a row, in milliseconds. */
export function backOff(failures: number): number {
  return failures === 0 ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1));
}

/** Milliseconds between the beginnings of two cycles: as the customer's schedule says, or the intake of a custom-object workflow (D42). */
export function periodOf({ intakes }: App, { intake, setup }: AppWorkflow): number {
  const declared = intake === undefined ? undefined : intakes[intake]?.frequency;
  return (setup.schedule?.frequency ?? declared ?? USUAL) * 1_000;
}

/** Name of the polling intake of a workflow: of its schedule, or of its history (D34). */
export function polledIntake(
  { intakes }: App,
  { intake, historicalIntake }: AppWorkflow,
): { readonly name: string; readonly once: boolean } | undefined {
  const historical = historicalIntake === undefined ? undefined : intakes[historicalIntake];
  if (historical !== undefined) return { name: historical.name, once: true };
  const polled = intake === undefined ? undefined : intakes[intake];
  return polled?.type === "polling" ? { name: polled.name, once: false } : undefined;
}

export interface Polled {
  readonly installation: Pick<Installation, "settings">;
  readonly connection: Pick<Connection, "broken"> | undefined;
  readonly record:
    | Pick<PollingRecord, "phase" | "done" | "startedAt" | "waitUntil" | "failures" | "failure">
    | undefined;
  readonly period: number;
  readonly once: boolean;
  readonly now: number;
}

/** Milliseconds by which the clocks of several machines, or one that is set right, may be apart. */
const CLOCKS_APART = 60_000;

/** When something happened. If that is still to come, a clock was wrong: nothing waits until it has come. */
export function happenedAt(time: number, now: number): number {
  return time > now + CLOCKS_APART ? 0 : time;
}

/**
 * When a cycle is due: at once if one was interrupted or a single import isn't complete, otherwise a period after the last one
 * began; later after failures, or where a rate limit keeps it waiting; never for a complete import or a connection that has to be renewed.
 *
 * @returns milliseconds since 1970; undefined for never
 */
export function dueAt({ installation, connection, record, period, once, now }: Polled): number | undefined {
  if (connection?.broken !== undefined) return undefined;
  if (record === undefined) return 0;
  if (record.done) return undefined;
  const single = once || installation.settings?.importOption === "single";
  const regular = record.phase !== "idle" || single ? 0 : happenedAt(record.startedAt ?? 0, now) + period;
  const { waitUntil = 0 } = record;
  if (record.failures === 0) return Math.max(regular, waitUntil);
  return Math.max(regular, waitUntil, happenedAt(record.failure?.at ?? 0, now) + backOff(record.failures));
}
