import type { DebugEvent } from "../run/event.ts";
import type { Position } from "./position.ts";
import type { Arrival, Gone, Step, Timeline } from "./timeline.ts";

/** What a person asks for while a run stands. */
export type Move =
  | { readonly kind: "continue" | "reverse" }
  | { readonly kind: "step" | "back"; readonly step: Step }
  | { readonly kind: "goto"; readonly position: Position };

/** Until when a run goes on by itself. */
type Goal =
  | { readonly kind: "run" }
  | { readonly kind: "step"; readonly depth: number }
  /** To where it was before, and then on by a move. */
  | ({ readonly kind: "until" } & Until);

/** Where a run that is repeated goes before it stops, and what comes then. */
export interface Until {
  readonly position: Position;
  readonly then?: Move;
  /** Why it stops there. Default: somebody wanted to go there. */
  readonly reason?: "pause";
}

interface ControlOptions {
  /** Where the run goes before it stops the first time; by default as far as the next breakpoint. */
  readonly until?: Until | "entry";
  /** Whether it stands at its end, so that one can look back. */
  readonly stopsAtEnd: () => boolean;
  readonly interrupted: () => boolean;
  /** The run stands somewhere. */
  readonly onStopped: (arrival: Arrival) => void;
  /** The run goes on from the newest event. */
  readonly onContinued: () => void;
  /** Where a move leads isn't kept any more: the run has to be repeated up to an event. */
  readonly onForgotten: (until: Position, then: Move) => void;
  /** Waits for moves, by `move`, until one of them lets the run go on. */
  readonly wait: (control: Control) => void;
}

/** Decides where a run stops, and goes along what has happened while it does. */
export class Control {
  /** Where one looks: among what has happened. */
  cursor: Position = { event: 0 };
  /** Whether the run waits. */
  stands = false;
  private goal: Goal;
  private readonly timeline: Timeline;
  private readonly options: ControlOptions;

  constructor(timeline: Timeline, options: ControlOptions) {
    this.timeline = timeline;
    this.options = options;
    const { until } = options;
    if (until === undefined) this.goal = { kind: "run" };
    else if (until === "entry") this.goal = { kind: "step", depth: Number.POSITIVE_INFINITY };
    else this.goal = { kind: "until", ...until };
  }

  /** Whether the run only comes again to where it was before. */
  get repeats(): boolean {
    return this.goal.kind === "until";
  }

  /** To be told each event as it happens; returns when the run may go on. */
  event(event: DebugEvent): void {
    if (this.stands) {
      // It was paused while it waited, and what it waited for has come. Going on leads past this event, or stops at it; only log points
      // don't come again.
      this.timeline.hit(event);
      this.options.wait(this);
      return;
    }
    const arrival = this.arrivalAt(event);
    if (arrival === undefined) return;
    const { goal } = this;
    this.goal = { kind: "run" };
    this.stands = true;
    this.cursor = arrival.position;
    const then = goal.kind === "until" && event.kind !== "over" ? goal.then : undefined;
    if (then === undefined) this.options.onStopped(arrival);
    else this.move(then);
    if (this.stands) this.options.wait(this);
    this.stands = false;
  }

  /** Stands where the run waits for something outside: it goes on waiting, and doesn't come further than its next event. */
  pause(): void {
    if (this.stands || this.repeats) return;
    for (const event of this.timeline.history.back(this.timeline.history.last)) {
      if (!this.timeline.isStop(event)) continue;
      this.goal = { kind: "run" };
      this.stands = true;
      this.cursor = { event: event.id };
      this.options.onStopped({ position: this.cursor, reason: "pause" });
      return;
    }
  }

  private arrivalAt(event: DebugEvent): Arrival | undefined {
    const { goal, timeline, options } = this;
    if (goal.kind === "until") {
      if (event.kind === "over" && event.id <= goal.position.event)
        return { position: { event: event.id }, reason: "end" };
      return event.id < goal.position.event
        ? undefined
        : { position: goal.position, reason: goal.reason ?? "goto" };
    }
    const hit = timeline.hit(event);
    if (hit !== undefined) return hit;
    if (event.kind === "over" && (goal.kind === "step" || options.stopsAtEnd()))
      return { position: { event: event.id }, reason: "end" };
    if (options.interrupted() && timeline.isStop(event))
      return { position: { event: event.id }, reason: "pause" };
    if (goal.kind === "step" && timeline.reaches(event, goal.depth))
      return { position: { event: event.id }, reason: "step" };
    return undefined;
  }

  /** Goes along what has happened, or lets the run go on (`stands` is false then). */
  move(move: Move): void {
    const { timeline, cursor } = this;
    let gone: Gone;
    switch (move.kind) {
      case "step":
        gone = timeline.forward(cursor, move.step);
        break;
      case "back":
        gone = timeline.back(cursor, move.step);
        break;
      case "continue":
        gone = timeline.resume(cursor);
        break;
      case "reverse":
        gone = timeline.reverse(cursor);
        break;
      case "goto":
        gone = { position: move.position, reason: "goto" };
    }
    if (gone === "before") return this.options.onForgotten({ event: timeline.history.first }, move);
    if (gone !== "ahead" && !(gone.reason === "end" && cursor.event === gone.position.event)) {
      this.cursor = gone.position;
      this.options.onStopped(gone);
      return;
    }
    this.goal = move.kind === "step" ? { kind: "step", depth: timeline.depth } : { kind: "run" };
    this.stands = false;
    this.options.onContinued();
  }
}
