import type { DebugEvent } from "./event.ts";

/** Events that are kept with their values at most; what was before is run again when somebody goes there. */
const MOST_EVENTS = 100_000;
/** Characters of answers among them at most: everything that a run holds was made of these. */
const MOST_TEXT = 256 * 1024 * 1024;

/** The events of a run, as far back as they are kept: whole parts of it are let go, the oldest first. */
export class History {
  private readonly events: (DebugEvent | undefined)[] = [];
  private text = 0;
  private readonly mostEvents: number;
  private firstKept = 1;

  constructor(mostEvents = MOST_EVENTS) {
    this.mostEvents = mostEvents;
  }

  /** Id of the newest event; 0 before the first. */
  get last(): number {
    return this.events.length;
  }

  /** Id of the oldest event that is kept. */
  get first(): number {
    return this.firstKept;
  }

  get(id: number): DebugEvent | undefined {
    return this.events[id - 1];
  }

  /** The event around another one. */
  around({ parent }: DebugEvent): DebugEvent | undefined {
    return parent === 0 ? undefined : this.get(parent);
  }

  add(event: DebugEvent): void {
    this.events.push(event);
    this.text += sizeOf(event);
    while (
      (this.last - this.firstKept >= this.mostEvents || this.text > MOST_TEXT) &&
      this.isOver(this.firstKept, event)
    )
      this.drop();
  }

  /** From an event on, to the newest one or as far as a number. */
  *from(id: number, to = this.last): Generator<DebugEvent> {
    for (let at = Math.max(id, this.firstKept); at <= to; at++) {
      const event = this.get(at);
      if (event !== undefined) yield event;
    }
  }

  /** From an event back to the oldest one. */
  *back(id: number): Generator<DebugEvent> {
    for (let at = Math.min(id, this.last); at >= this.firstKept; at--) {
      const event = this.get(at);
      if (event !== undefined) yield event;
    }
  }

  /** Whether nothing that happens now can ask for an event: it isn't around the newest one, nor in what is. */
  private isOver(id: number, newest: DebugEvent): boolean {
    const event = this.get(id);
    return event === undefined || event.run === undefined || event.run !== newest.run;
  }

  private drop(): void {
    const event = this.events[this.firstKept - 1];
    // Parts stay: what stands in them asks for their names.
    if (event !== undefined && event.kind !== "part") {
      this.text -= sizeOf(event);
      this.events[this.firstKept - 1] = undefined;
    }
    this.firstKept++;
  }
}

function sizeOf({ kind, data }: DebugEvent): number {
  return kind === "response" ? (data.body?.length ?? 0) : 0;
}
