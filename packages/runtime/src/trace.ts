import type { Clock } from "./effects.ts";
import { asExact } from "./json.ts";
import { isSecretHeader, MASK, Redactor, shownUrl } from "./redact/index.ts";

/**
 * One thing that happened in a run. Events are flat and only appended; a tree, recordings and telemetry are views of them.
 * Values are redacted when captured, and cut at a size; a cut leaves nothing in the data, and `cuts` tells of it.
 */
export type TraceEvent = { readonly [Kind in TraceKind]: EventOf<Kind> }[TraceKind];

interface EventOf<Kind extends TraceKind> {
  /** Ascending from 1. */
  readonly id: number;
  /** The event around it; 0 for the first. */
  readonly parent: number;
  /** JSON Pointer of the command; empty where none is meant. */
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly t: number;
  readonly kind: Kind;
  readonly data: TraceData[Kind];
  /** Where `data` has less than there was; absent if it is whole. */
  readonly cuts?: readonly Cut[];
}

/** A place at which a captured value has less than there was: only its beginning is there. */
export interface Cut {
  /** JSON Pointer in the captured value, with names as they stand there. */
  readonly pointer: string;
  /** Of the whole: items of a list, members of an object, UTF-16 units of a text. */
  readonly length: number;
}

/** A copy of a value without secrets, and not larger than a reader can use. */
export interface Captured {
  readonly value: unknown;
  readonly cuts: readonly Cut[];
}

/** What an event tells, by its kind. Of an event that was cut, members may be missing. */
export interface TraceData {
  /** Begins a command. */
  readonly step: { readonly key: string; readonly input?: unknown };
  /** Closes it: it has one of both. */
  readonly end: { readonly output?: unknown; readonly error?: unknown };
  /** Begins an exchange. */
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  /** Closes it. Without an answer it has no status; an answer that is a failure, such as a web page where data was asked for, has all. */
  readonly response: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Its kind. */
    readonly failure?: string;
    readonly message?: string;
    readonly milliseconds: number;
  };
  /** A rate limit or a retry. */
  readonly wait: { readonly reason: string; readonly milliseconds: number };
  /** Anything else worth telling: `truncated`, a save … */
  readonly note: Readonly<Record<string, unknown>>;
}

/** What happens in a run. */
export type TraceKind = keyof TraceData;

/** A kind of event with its data. */
export type Traced = {
  readonly [Kind in TraceKind]: [kind: Kind, data: TraceData[Kind]];
}[TraceKind];

/** Collects the events of one run. */
export interface Tracer {
  /** False where nobody looks at the events: then they needn't be made. */
  readonly listening: boolean;
  /** @returns the event's id, for `parent` of what happens in it */
  event(parent: number, node: string, ...traced: Traced): number;
  /** Text that must not appear in any event, error or recording, from now on (D29). */
  secret(text: string): void;
  /**
   * The text without secrets, in any usual encoding.
   *
   * @param longest UTF-16 units of the text that are looked at; what comes behind them is left out
   */
  redact(text: string, longest?: number): string;
}

/**
 * Takes each event as it comes.
 *
 * @param whole its data as they are in the run, with secrets: whoever keeps them shows nothing of them but what `capture` makes
 * @param redact of the tracer, for what is made of them
 */
export type TraceListener = (event: TraceEvent, whole: unknown, redact: Tracer["redact"]) => void;

/** What a captured value may have at most. */
const LONGEST_TEXT = 4_096;
/** So much of a longer text is looked at: masks make it shorter. */
const LOOKED_AT = 16 * LONGEST_TEXT;
const MOST_ITEMS = 1_000;
const DEEPEST = 32;

/**
 * Makes a tracer.
 *
 * @param clock gives the events their time
 * @param listener without one nothing is captured, and only secrets are kept
 */
export function createTracer(clock: Clock, listener?: TraceListener): Tracer {
  const redactor = new Redactor();
  let last = 0;
  const redact: Tracer["redact"] = (text, longest) => redactor.redact(text, longest);
  return {
    listening: listener !== undefined,
    event(parent, node, kind, whole) {
      if (listener === undefined) return 0;
      const id = ++last;
      const { value: data, cuts } = capture(whole, redact);
      const told = cuts.length > 0 ? { cuts } : {};
      // What is captured has the form of the whole.
      const event = { id, parent, node, t: clock.now(), kind, data, ...told } as TraceEvent;
      listener(event, whole, redact);
      return id;
    },
    secret: (text) => redactor.add(text),
    redact,
  };
}

/** What a trace keeps of a value. */
export function capture(value: unknown, redact: Tracer["redact"]): Captured {
  const cuts: Cut[] = [];
  let left = MOST_ITEMS;
  const copy = (item: unknown, depth: number, pointer: string): unknown => {
    if (typeof item === "string") {
      // Redacted before it is cut: half of a secret is one too.
      const safe = redact(item, LOOKED_AT);
      if (safe.length <= LONGEST_TEXT && item.length <= LOOKED_AT) return safe;
      cuts.push({ pointer, length: item.length });
      return safe.slice(0, LONGEST_TEXT);
    }
    // An exact number never changes, and a copy would be an object with its digits.
    if (typeof item !== "object" || item === null || asExact(item) !== undefined) return item;
    if (item instanceof Error) return copy(describe(item), depth, pointer);
    const names = Array.isArray(item) ? undefined : Object.keys(item);
    const { length } = names ?? (item as unknown[]);
    const kept: [string, unknown][] = [];
    for (let at = 0; at < length; at++) {
      if (depth >= DEEPEST || left-- <= 0) {
        cuts.push({ pointer, length });
        break;
      }
      const name = names?.[at] ?? `${at}`;
      const safe = names === undefined ? name : redact(name);
      const place = `${pointer}/${safe.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      kept.push([safe, copy((item as Record<string, unknown>)[name], depth + 1, place)]);
    }
    return names === undefined ? kept.map(([, each]) => each) : Object.fromEntries(kept);
  };
  return { value: copy(value, 0, ""), cuts };
}

/** What a trace says of an error. */
function describe(error: Error): Record<string, unknown> {
  const { kind, pointer, status } = error as Error & { kind?: string; pointer?: string; status?: number };
  return {
    kind: kind ?? error.name,
    message: error.message,
    ...(pointer === undefined ? {} : { pointer }),
    ...(status === undefined ? {} : { status }),
  };
}

/** Headers whose value is a URL: it may have a password or a token in it. */
const urlHeaders: ReadonlySet<string> = new Set(["location", "content-location", "referer"]);

/** Headers for a trace: those that authorise are masked whatever they hold. */
export function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown = (name: string, value: string): string => {
    if (isSecretHeader(name)) return MASK;
    return urlHeaders.has(name) ? shownUrl(value) : value;
  };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, shown(name, value)]));
}
