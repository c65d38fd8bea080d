import type { Position } from "./position.ts";
import type { Timeline } from "./timeline.ts";

/**
 * All stops of a run that is over, from its start to its end.
 *
 * @param detail `in`: the stages of programs too
 */
export function* stopsOf(timeline: Timeline, detail: "in" | "command"): Generator<Position> {
  if (detail === "command") {
    for (const event of timeline.history.from(1)) if (timeline.isStop(event)) yield { event: event.id };
    return;
  }
  let at = timeline.start();
  for (;;) {
    yield at;
    const gone = timeline.forward(at, "in");
    if (typeof gone === "string") return;
    at = gone.position;
  }
}
