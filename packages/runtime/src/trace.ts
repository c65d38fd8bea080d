import type { Clock } from "./effects.ts";
import { asExact } from "./json.ts";
import { isSecretHeader, MASK, Redactor, shownUrl } from "./redact/index.ts";

/**
 * One thing that happened in a run. Events are flat and only appended; a tree, recordings and telemetry are views of them.
 * Values are redacted when captured, and cut at a size.
 */
export interface TraceEvent {
  /** Ascending from 1. */
  readonly id: number;
  /** The event around it; 0 for the first. */
  readonly parent: number;
  /** JSON Pointer of the command; empty where none is meant. */
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly t: number;
  readonly kind: TraceKind;
  readonly data: unknown;
}

/**
 * `step` begins a command (`{key, input}`), `end` closes it (`{output}` or `{error}`), `request` (`{method, url, headers, body}`)
 * and `response` (`{status, headers, body, milliseconds}` or `{failure}`) are one exchange, `wait` is a rate limit or a retry
 * (`{reason, milliseconds}`), `note` anything else worth telling (`truncated`, a save …).
 */
export type TraceKind = "step" | "end" | "request" | "response" | "wait" | "note";

/** Collects the events of one run. */
export interface Tracer {
  /** False where nobody looks at the events: then they needn't be made. */
  readonly listening: boolean;
  /** @returns the event's id, for `parent` of what happens in it */
  event(parent: number, node: string, kind: TraceKind, data: unknown): number;
  /** Text that must not appear in any event, error or recording, from now on (D29). */
  secret(text: string): void;
  /**
   * The text without secrets, in any usual encoding.
   *
   * @param longest UTF-16 units of the text that are looked at; what comes behind them is left out
   */
  redact(text: string, longest?: number): string;
}

/** What a captured value may have at most; the rest is told by its size. */
const LONGEST_TEXT = 4_096;
/** So much of a longer text is looked at: masks make it shorter. */
const LOOKED_AT = 16 * LONGEST_TEXT;
const MOST_ITEMS = 1_000;
const DEEPEST = 32;

/**
 * Makes a tracer.
 *
 * @param clock gives the events their time
 * @param listener takes each event as it comes; without one nothing is captured, and only secrets are kept
 */
export function createTracer(clock: Clock, listener?: (event: TraceEvent) => void): Tracer {
  const redactor = new Redactor();
  let last = 0;
  return {
    listening: listener !== undefined,
    event(parent, node, kind, data) {
      if (listener === undefined) return 0;
      const id = ++last;
      listener({ id, parent, node, t: clock.now(), kind, data: capture(data, redactor) });
      return id;
    },
    secret: (text) => redactor.add(text),
    redact: (text, longest) => redactor.redact(text, longest),
  };
}

/** A copy of a value without secrets, and not larger than a reader can use. */
function capture(value: unknown, redactor: Redactor): unknown {
  let left = MOST_ITEMS;
  const copy = (item: unknown, depth: number): unknown => {
    if (typeof item === "string") return captureText(item, redactor);
    if (typeof item !== "object" || item === null) return item;
    // It never changes, and a copy would be an object with its digits.
    if (asExact(item) !== undefined) return item;
    if (item instanceof Error) return copy({ ...describe(item) }, depth);
    if (depth >= DEEPEST || left <= 0) return "…";
    if (Array.isArray(item)) {
      const items: unknown[] = [];
      for (const [index, one] of item.entries()) {
        if (left-- <= 0) {
          items.push(`… ${item.length - index} more`);
          break;
        }
        items.push(copy(one, depth + 1));
      }
      return items;
    }
    const members: [string, unknown][] = [];
    const names = Object.keys(item);
    for (const [index, name] of names.entries()) {
      if (left-- <= 0) {
        members.push(["…", `${names.length - index} more`]);
        break;
      }
      members.push([captureText(name, redactor), copy((item as Record<string, unknown>)[name], depth + 1)]);
    }
    return Object.fromEntries(members);
  };
  return copy(value, 0);
}

function captureText(text: string, redactor: Redactor): string {
  // Redacted before it is cut: half of a secret is one too.
  const safe = redactor.redact(text, LOOKED_AT);
  if (safe.length <= LONGEST_TEXT && text.length <= LOOKED_AT) return safe;
  return `${safe.slice(0, LONGEST_TEXT)}… (${text.length} characters)`;
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
