import type { App } from "@configc/compiler";
import { Programs } from "../look/programs.ts";
import { Roots } from "../look/roots.ts";
import { variablesOf } from "../look/variables.ts";
import type { DebugEvent } from "../run/event.ts";
import type { History } from "../run/history.ts";
import { placeIndex } from "../stages/evaluate.ts";
import { type Breakpoints, noBreakpoints } from "./breakpoint.ts";
import { type Hit, isFirstFailure, Matching } from "./matching.ts";
import { comparePositions, type Position } from "./position.ts";

/** How far to go: `in` to the next stop whatever it is, `over` to the next that isn't inside, `out` to the next around. */
export type Step = "in" | "over" | "out";

/** Where one came to, and why. */
export interface Arrival {
  readonly position: Position;
  readonly reason: "step" | "goto" | "entry" | "end" | "pause" | Hit["reason"];
  readonly ids?: readonly number[];
  readonly text?: string;
}

/** What going somewhere came to. `ahead`: only the run itself can tell, by going on. `before`: it was in what is no longer kept. */
export type Gone = Arrival | "ahead" | "before";

/** Before any place: breakpoints have to be counted anew. */
const NOWHERE: Position = { event: -1 };

interface TimelineOptions {
  readonly app: App;
  readonly history: History;
  /** Masks secrets. */
  readonly redact: (text: string) => string;
  readonly timeZone?: string;
  readonly clock?: () => number;
  /** Whether somebody wants to stop what is going on. */
  readonly interrupted?: () => boolean;
  /** Takes what log points say. */
  readonly onLog?: (text: string, event: DebugEvent) => void;
}

/** What happened in a run as a line of stops, along which one goes in both directions. */
export class Timeline {
  readonly history: History;
  readonly roots: Roots;
  readonly programs: Programs;
  private readonly matching: Matching;
  private readonly options: TimelineOptions;
  /** Up to where breakpoints were looked at, so that their counts are right. */
  private counted: Position = { event: 0 };

  constructor(options: TimelineOptions) {
    const { app, history, clock = () => 0, timeZone = "UTC", interrupted = () => false } = options;
    this.options = options;
    this.history = history;
    this.roots = new Roots(app, history);
    this.programs = new Programs(app, this.roots, { clock, timeZone, interrupted });
    this.matching = new Matching(noBreakpoints, {
      history,
      programs: this.programs,
      place: {
        surroundings: (event, stop) => variablesOf(this.roots, event, stop),
        told: (value) => options.redact(typeof value === "string" ? value : JSON.stringify(value)),
      },
    });
  }

  setBreakpoints(breakpoints: Breakpoints): void {
    this.matching.set(breakpoints);
    this.counted = NOWHERE;
  }

  /** Whether one can stop at an event without having asked for it. */
  isStop(event: DebugEvent): boolean {
    switch (event.kind) {
      case "step":
      case "request":
      case "response":
      case "part":
      case "over":
        return true;
      case "end":
        return this.isEndOfRun(event) || isFirstFailure(event, this.history);
      default:
        return false;
    }
  }

  /** The stop of a step, forward. */
  forward({ event: id, stage }: Position, step: Step): Gone {
    const event = this.history.get(id);
    if (event === undefined) return "before";
    let depth =
      step === "in"
        ? Number.POSITIVE_INFINITY
        : event.depth - (step === "out" && stage === undefined ? 1 : 0);
    if (this.programs.hasStages(event) && (step === "in" || stage !== undefined)) {
      const nesting = stage === undefined ? 0 : this.nestingAt(event, stage);
      const most = step === "in" ? Number.POSITIVE_INFINITY : nesting - (step === "out" ? 1 : 0);
      const found = this.programs.find(
        event,
        (stage ?? -1) + 1,
        (stop) => (stop.stage?.nesting ?? 0) <= most,
      );
      if (found !== undefined && most >= 0)
        return { position: { event: id, stage: found.ordinal }, reason: "step" };
      if (step === "in") depth = Number.POSITIVE_INFINITY;
    }
    for (const next of this.history.from(id + 1))
      if (this.reaches(next, depth)) return { position: { event: next.id }, reason: "step" };
    this.depth = depth;
    return "ahead";
  }

  /** How deep the next stop of a step may be that came to the end of what has happened. */
  depth = Number.POSITIVE_INFINITY;

  /** Whether a step ends at an event that has just happened. */
  reaches(event: DebugEvent, depth = this.depth): boolean {
    return event.depth <= depth && this.isStop(event);
  }

  /** The stop of a step, backward: the one from which stepping over, or in, would have come here. */
  back({ event: id, stage }: Position, step: Step): Gone {
    const event = this.history.get(id);
    if (event === undefined) return "before";
    // Stepping doesn't go from one expansion to the next, only breakpoints do.
    if (stage !== undefined && stage > 0 && this.programs.hasStages(event)) {
      const nesting = this.nestingAt(event, stage);
      const most = step === "in" ? Number.POSITIVE_INFINITY : nesting - (step === "out" ? 1 : 0);
      const found = this.programs.findBack(event, stage, (stop) => (stop.stage?.nesting ?? 0) <= most);
      if (found !== undefined) return { position: { event: id, stage: found.ordinal }, reason: "step" };
    }
    if (stage !== undefined) return { position: { event: id }, reason: "step" };
    const depth = step === "in" ? Number.POSITIVE_INFINITY : event.depth - (step === "out" ? 1 : 0);
    for (const before of this.history.back(id - 1)) {
      if (!this.reaches(before, depth)) continue;
      if (step === "in" && this.programs.hasStages(before)) {
        const last = this.programs.findBack(before, Number.POSITIVE_INFINITY, () => true);
        if (last !== undefined)
          return { position: { event: before.id, stage: last.ordinal }, reason: "step" };
      }
      return { position: { event: before.id }, reason: "step" };
    }
    return this.history.first > 1 ? "before" : { position: this.start(), reason: "entry" };
  }

  /** Forward to the next breakpoint among what has happened. */
  resume(from: Position): Gone {
    this.recount(from);
    const event = this.history.get(from.event);
    const here = event === undefined ? undefined : this.matching.at(event, undefined, (from.stage ?? -1) + 1);
    if (here !== undefined && comparePositions(here.position, from) > 0) return this.counting(here);
    for (const next of this.history.from(from.event + 1)) {
      const hit = this.matching.at(next);
      if (hit !== undefined) return this.counting(hit);
      if (next.kind === "over") return { position: { event: next.id }, reason: "end" };
    }
    this.counted = { event: this.history.last };
    return "ahead";
  }

  /** Back to the last breakpoint before a place, or to the start. */
  reverse(from: Position): Gone {
    this.matching.forget();
    let last: Hit | undefined;
    for (const event of this.history.from(1, from.event)) {
      let hit = this.matching.at(event);
      while (hit !== undefined && comparePositions(hit.position, from) < 0) {
        last = hit;
        hit = this.matching.at(event, undefined, (hit.position.stage ?? -1) + 1);
      }
    }
    this.counted = NOWHERE;
    if (last !== undefined) return last;
    return this.history.first > 1 ? "before" : { position: this.start(), reason: "entry" };
  }

  /** What there is to stop for at an event that has just happened. */
  hit(event: DebugEvent): Hit | undefined {
    const hit = this.matching.isIdle ? undefined : this.matching.at(event, this.options.onLog);
    this.counted = hit?.position ?? { event: event.id };
    return hit;
  }

  /** The place nearest to another one at which a command stands, or a stage of its program: before it, else behind it. */
  placeNear(pointer: string, stage: number | undefined, near: Position): Position | undefined {
    let best: Position | undefined;
    for (const event of this.history.from(1)) {
      if (event.kind !== "step" || event.node !== pointer) continue;
      let position: Position | undefined = { event: event.id };
      if (stage !== undefined) {
        const found = this.programs.find(event, 0, (stop) => placeIndex(stop) === stage);
        position = found && { event: event.id, stage: found.ordinal };
      }
      if (position === undefined) continue;
      if (best !== undefined && comparePositions(position, near) > 0) break;
      best = position;
    }
    return best;
  }

  /** The first stop that is kept. */
  start(): Position {
    for (const event of this.history.from(1)) if (this.isStop(event)) return { event: event.id };
    return { event: this.history.first };
  }

  /** What a command gave; undefined where it hasn't ended by a place. */
  endOf(step: DebugEvent, until = this.history.last): DebugEvent | undefined {
    for (const event of this.history.from(step.id + 1, until))
      if (event.kind === "end" && event.parent === step.id) return event;
    return undefined;
  }

  /** To be told when another value was put into an event: what its program did is gone through anew. */
  changed(event: DebugEvent): void {
    this.programs.forget(event);
  }

  private counting(hit: Hit): Arrival {
    this.counted = hit.position;
    return hit;
  }

  /** Has breakpoints counted up to a place. */
  private recount(to: Position): void {
    if (comparePositions(this.counted, to) === 0) return;
    this.matching.forget();
    for (const event of this.history.from(1, to.event)) {
      const isLast = event.id === to.event;
      let hit = this.matching.at(event);
      while (hit !== undefined && (!isLast || comparePositions(hit.position, to) <= 0))
        hit = this.matching.at(event, undefined, (hit.position.stage ?? -1) + 1);
    }
  }

  private nestingAt(event: DebugEvent, stage: number): number {
    return this.programs.stopAt(event, stage)?.stage?.nesting ?? 0;
  }

  private isEndOfRun({ parent }: DebugEvent): boolean {
    const step = this.history.get(parent);
    return step !== undefined && this.history.around(step)?.kind !== "step";
  }
}
