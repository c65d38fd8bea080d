import type { Json } from "@configc/jq";
import type { Clock } from "../effects.ts";
import { createTracer, type TraceEvent, type Tracer } from "../trace.ts";

/** Events that are kept of one run at most; the first and the last tell most. */
const MOST_EVENTS = 200;

/**
 * Holds the events of a run as they are, and captures them only if somebody wants to see them: an item that arrives costs
 * nothing but references.
 */
export class HeldTrace implements Tracer {
  readonly listening = true;
  readonly #outer: Tracer;
  readonly #clock: Clock;
  readonly #events: TraceEvent[] = [];
  readonly #secrets: string[] = [];
  #last = 0;

  /** @param outer is told everything too; its secrets are kept out of this one's events */
  constructor(clock: Clock, outer: Tracer = createTracer(clock)) {
    this.#clock = clock;
    this.#outer = outer;
  }

  event(parent: number, node: string, kind: TraceEvent["kind"], data: unknown): number {
    const id = this.#outer.listening ? this.#outer.event(parent, node, kind, data) : ++this.#last;
    if (this.#events.length < MOST_EVENTS)
      this.#events.push({ id, parent, node, t: this.#clock.now(), kind, data });
    return id;
  }

  secret(text: string): void {
    this.#secrets.push(text);
    this.#outer.secret(text);
  }

  redact(text: string, longest?: number): string {
    return this.#outer.redact(text, longest);
  }

  /** The events, without secrets. */
  events(): Json {
    const captured: TraceEvent[] = [];
    let t = 0;
    const tracer = createTracer({ now: () => t, sleep: async () => undefined }, (event) =>
      captured.push(event),
    );
    for (const secret of this.#secrets) tracer.secret(secret);
    for (const { parent, node, kind, data, t: at } of this.#events) {
      t = at;
      tracer.event(parent, node, kind, data);
    }
    // Ids of the held events: those of a shared tracer don't begin at 1.
    return captured.map((event, index) => ({
      ...event,
      id: this.#events[index]?.id ?? 0,
    })) as unknown as Json;
  }
}
