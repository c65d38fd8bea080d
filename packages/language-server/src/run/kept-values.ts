import { isMap, nameOfToken } from "@configc/jq/internal";
import { capture, parseExact, type Tracer } from "@configc/runtime";
import { valueCost } from "@configc/runtime/internal";
import type { RunPart, RunValueResult } from "./protocol.ts";

/** Bytes that the values of one run are estimated to take up at most: what comes then is told only as far as the trace has it. */
const MOST_BYTES = 1024 ** 3;

/**
 * The values of a run as they were in it, so that what a trace cuts can be asked for. They have secrets in them: whatever leaves here
 * goes through `redact`.
 */
export class KeptValues {
  readonly redact: Tracer["redact"];
  readonly #values = new Map<string, unknown>();
  /** A value is passed from step to step: it counts once. */
  readonly #counted = new WeakSet<object>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(redact: Tracer["redact"], mostBytes = MOST_BYTES) {
    this.redact = redact;
    this.#mostBytes = mostBytes;
  }

  keep(part: RunPart, value: unknown): void {
    if (this.#bytes > this.#mostBytes) return;
    if (typeof value !== "object" || value === null || !this.#counted.has(value)) {
      this.#bytes += valueCost(value, this.#mostBytes - this.#bytes);
      if (this.#bytes > this.#mostBytes) return;
      if (typeof value === "object" && value !== null) this.#counted.add(value);
    }
    this.#values.set(keyOf(part), value);
  }

  has(part: RunPart): boolean {
    return this.#values.has(keyOf(part));
  }

  /**
   * A value of the run, with secrets. A body is read as JSON, if it is.
   *
   * @throws Error for people: where it isn't kept
   */
  whole(part: RunPart): unknown {
    const key = keyOf(part);
    if (!this.#values.has(key))
      throw new Error(
        this.#bytes > this.#mostBytes
          ? `The values of this run came to more than ${this.#mostBytes / 1024 ** 2} MB, so the later ones weren't kept whole.`
          : "The run has no such value.",
      );
    const value = this.#values.get(key);
    if (part.exchange === undefined || typeof value !== "string") return value;
    const body = bodyOf(value);
    this.#values.set(key, body);
    return body;
  }
}

function keyOf({ step, exchange, part }: RunPart): string {
  return JSON.stringify([step, exchange, part]);
}

function bodyOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}

/** What is at a place of a value. */
interface Place {
  readonly value: unknown;
}

/**
 * Goes to a place by a pointer into what was captured of a value: names are as they are shown, without secrets.
 *
 * @returns undefined where there is none
 */
export function placeAt(whole: unknown, pointer: string, redact: Tracer["redact"]): Place | undefined {
  let at: unknown = whole;
  for (const escaped of pointer.split("/").slice(1)) {
    const shown = nameOfToken(escaped);
    if (typeof at !== "object" || at === null) return undefined;
    const name = Object.hasOwn(at, shown) ? shown : Object.keys(at).find((each) => redact(each) === shown);
    if (name === undefined) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return { value: at };
}

/**
 * @param from of the items, members or UTF-16 units
 * @param count of these at most; fewer come where they are large
 */
export function sliceOf(
  value: unknown,
  from: number,
  count: number,
  redact: Tracer["redact"],
): RunValueResult {
  if (typeof value === "string") {
    // Masked before it is cut: half of a secret is one too.
    const safe = redact(value);
    return { value: safe.slice(from, from + count), cuts: [], length: safe.length };
  }
  const length = lengthOf(value);
  const part = Array.isArray(value)
    ? value.slice(from, from + count)
    : length > 0
      ? Object.fromEntries(Object.entries(value as object).slice(from, from + count))
      : value;
  const { value: shown, cuts } = capture(part, redact);
  return { value: shown, cuts: cuts.filter(({ pointer }) => pointer !== ""), length };
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isMap(value) ? Object.keys(value).length : 0;
}
