import type { Json } from "@configc/jq";
import type { PollingRecord, PollReason } from "../store/tables.ts";

/** How far a cycle is: what a step remembers of its record, without the app's state. */
export interface Position {
  readonly ready: boolean;
  readonly phase: PollingRecord["phase"];
  readonly cycle: number;
  readonly requests: number;
  readonly results: number;
  readonly allRequests: number;
  readonly reason: PollReason;
  readonly done: boolean;
}

export function positionOf({
  ready,
  phase,
  cycle,
  requests,
  results,
  allRequests,
  reason = "iterate",
  done,
}: PollingRecord): Position & { readonly [name: string]: Json } {
  return { ready, phase, cycle, requests, results, allRequests, reason, done };
}

/** Whether a record is (still) where a step begins: if it isn't, somebody has been there already. */
export function isAt(record: PollingRecord, { ready, phase, cycle, requests }: Position): boolean {
  return (
    record.ready === ready && record.phase === phase && record.cycle === cycle && record.requests === requests
  );
}

/** What comes next, as a step's name: the same for a run that is taken up again. */
export function nextStep({ ready, phase, cycle, requests }: Position): string {
  if (!ready) return "initial_setup";
  if (phase === "idle") return `pre_poll ${cycle + 1}`;
  return phase === "polling" ? `request ${cycle}.${requests + 1}` : `post_poll ${cycle}`;
}
