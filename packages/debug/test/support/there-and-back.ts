import type { Compilation } from "@configc/compiler";
import type { Effects } from "@configc/runtime";
import { expect } from "vitest";
import type { Plan } from "../../src/run/plan.ts";
import type { Position } from "../../src/stop/position.ts";
import type { Timeline } from "../../src/stop/timeline.ts";
import { ran, seenAt } from "./debugged.ts";

/** Stepping into everything that happened, from the start to the end. */
export function forth(timeline: Timeline): Position[] {
  const stops = [timeline.start()];
  for (;;) {
    const gone = timeline.forward(stops.at(-1)!, "in");
    if (typeof gone === "string") return stops;
    stops.push(gone.position);
  }
}

/** Stepping back from the end to the start; in the order of the run. */
export function back(timeline: Timeline): Position[] {
  const stops: Position[] = [{ event: timeline.history.last }];
  for (;;) {
    const gone = timeline.back(stops.at(-1)!, "in");
    if (typeof gone === "string" || gone.reason === "entry") return stops.reverse();
    stops.push(gone.position);
  }
}

/** The difference of two long lists of large texts takes minutes to print: only the first of them is told. */
function areTheSame<T>(actual: readonly T[], expected: readonly T[]): void {
  const text = (list: readonly T[], at: number): string => JSON.stringify(list[at]) ?? "";
  const at = expected.findIndex((_, index) => text(actual, index) !== text(expected, index));
  if (at >= 0) expect(text(actual, at).slice(0, 2_000)).toBe(text(expected, at).slice(0, 2_000));
  expect(actual.length).toBe(expected.length);
}

/**
 * Backward from the end to the start and forward again there are the same values at every stop, and so there are when the run is
 * repeated from what it was told, without asking the world.
 *
 * @returns how many stops there are
 */
export async function isTheSameThereAndBack(
  { app }: Compilation,
  run: { readonly plan: Plan; readonly effects: Effects },
): Promise<number> {
  const { timeline, debuggee, end } = await ran(app, run);
  const stops = forth(timeline);
  const values = stops.map((position) => seenAt(timeline, position));
  const stopsBack = back(timeline);
  areTheSame(stopsBack, stops);
  areTheSame(
    stopsBack.map((position) => seenAt(timeline, position)),
    values,
  );
  const silent = { request: () => Promise.reject(new Error("asked")) };
  const repeated = { ...run, effects: { ...run.effects, http: silent } };
  const again = await ran(app, repeated, { heard: debuggee.log.entries });
  areTheSame(forth(again.timeline), stops);
  areTheSame(
    stops.map((position) => seenAt(again.timeline, position)),
    values,
  );
  expect("output" in again.end).toBe("output" in end);
  return stops.length;
}
