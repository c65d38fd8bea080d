import { describe, expect, test } from "vitest";
import type { Position } from "../src/stop/position.ts";
import type { Step, Timeline } from "../src/stop/timeline.ts";
import { caseRun, example, ran, seenAt } from "./support/debugged.ts";

/** Stepping over everything that happened, from the start to the end. */
function forwardStops(timeline: Timeline, step: Step): Position[] {
  const stops = [timeline.start()];
  for (;;) {
    const gone = timeline.forward(stops.at(-1)!, step);
    if (typeof gone === "string") return stops;
    stops.push(gone.position);
  }
}

function backStops(timeline: Timeline, step: Step): Position[] {
  const stops: Position[] = [{ event: timeline.history.last }];
  for (;;) {
    const gone = timeline.back(stops.at(-1)!, step);
    if (typeof gone === "string" || gone.reason === "entry") return stops.reverse();
    stops.push(gone.position);
  }
}

const names = ["crm", "calendar", "forms", "help-desk", "payments", "shop", "sms", "spreadsheet"];
const all = names.flatMap((name) => {
  const compilation = example(name);
  return compilation.cases
    .filter(({ world, cycles }) => world === undefined && cycles === undefined)
    .map((given) => ({ name, title: `${name}: ${given.name}`, compilation, given }));
});

describe("a run is a timeline", () => {
  test.each(all)("$title", async ({ compilation, given }) => {
    const run = caseRun(compilation, given);
    const { timeline, debuggee, end } = await ran(compilation.app, run);
    const forth = forwardStops(timeline, "in");
    const back = backStops(timeline, "in");
    expect(back).toEqual(forth);
    const values = forth.map((position) => seenAt(timeline, position));
    // Backward from the end to the start, and forward again.
    expect(back.map((position) => seenAt(timeline, position))).toEqual(values);
    // Run again from what it was told: the world isn't asked, and each stop has the same values.
    const nothing = {
      ...run,
      effects: { ...run.effects, http: { request: () => Promise.reject(new Error("asked")) } },
    };
    const again = await ran(compilation.app, nothing, { heard: debuggee.log.entries });
    expect(forwardStops(again.timeline, "in")).toEqual(forth);
    expect(forth.map((position) => seenAt(again.timeline, position))).toEqual(values);
    expect("output" in again.end).toBe("output" in end);
  });
});
