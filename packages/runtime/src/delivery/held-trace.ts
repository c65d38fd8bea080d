import type { Json } from "@configc/jq";
import type { Clock } from "../effects.ts";
import { valueCost } from "../memory/json-cost.ts";
import { createTracer, type Traced, type TraceEvent, type Tracer } from "../trace.ts";

/** Events that are kept of one run at most; the first and the last tell most. */
const MOST_EVENTS = 200;

/** Bytes that their data may take up together when they are captured: of what comes then, only that it happened is kept. */
const MOST_BYTES = 4 * 1024 * 1024;

interface HeldEvent extends Pick<TraceEvent, "id" | "parent" | "node" | "t"> {
  readonly traced: Traced;
}

/**
 * Holds the events of a run as they are, and captures them only if somebody wants to see them: an item that arrives costs
 * nothing but references.
 */
export class HeldTrace implements Tracer {
  readonly listening = true;
  readonly #outer: Tracer;
  readonly #clock: Clock;
  readonly #events: HeldEvent[] = [];
  readonly #secrets: string[] = [];
  #last = 0;

  /** @param outer is told everything too; its secrets are kept out of this one's events */
  constructor(clock: Clock, outer: Tracer = createTracer(clock)) {
    this.#clock = clock;
    this.#outer = outer;
  }

  event(parent: number, node: string, ...traced: Traced): number {
    const id = this.#outer.listening ? this.#outer.event(parent, node, ...traced) : ++this.#last;
    if (this.#events.length < MOST_EVENTS)
      this.#events.push({ id, parent, node, t: this.#clock.now(), traced });
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
    let left = MOST_BYTES;
    const tracer = createTracer({ now: () => t, sleep: async () => undefined }, (event) => {
      left -= valueCost(event.data);
      const { length } = Object.keys(this.#events[captured.length]?.traced[1] ?? {});
      captured.push(
        left > 0
          ? event
          : ({ ...event, data: gist(event.data), cuts: [{ pointer: "", length }] } as TraceEvent),
      );
    });
    for (const secret of this.#secrets) tracer.secret(secret);
    for (const { parent, node, traced, t: at } of this.#events) {
      t = at;
      const [kind, data] = traced;
      tracer.event(parent, node, ...(left > 0 ? traced : ([kind, gist(data)] as unknown as Traced)));
    }
    // Ids of the held events: those of a shared tracer don't begin at 1.
    return captured.map((event, index) => ({
      ...event,
      id: this.#events[index]?.id ?? 0,
    })) as unknown as Json;
  }
}

/** Of an event's data what is short, and how it failed. */
function gist(data: object): object {
  const short = Object.entries(data).filter(
    ([name, value]) => name === "error" || (typeof value !== "object" && String(value).length < 200),
  );
  return Object.fromEntries(short);
}
