import type { Json } from "@configc/jq";
import type { HttpResponse } from "../effects.ts";
import type { HttpFailure } from "../http-failure.ts";

/** How an exchange ended. */
export type Outcome = Answered | { readonly failure: HttpFailure };

/** A response that came whole, and what its body says; `null` for a status of failure, whose body is read as text. */
export interface Answered {
  readonly response: HttpResponse;
  readonly body: Json;
}

interface RetryQuestion {
  readonly method: string;
  readonly outcome: Outcome;
  /** Whether the request carries an idempotency key, so that the server does it once. */
  readonly keyed: boolean;
  /** How many tries there have been. */
  readonly tries: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** 0 ≤ x < 1 */
  readonly random: number;
}

const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

/**
 * How long to wait before the request is sent again; undefined where it must not be (D21).
 *
 * 429 is retried for every method: nothing was done. Other failures may have come after the deed, so they are retried only
 * where a second one changes nothing, or where the server asks for it (503 with `Retry-After`).
 */
export function retryWait({ method, outcome, keyed, tries, now, random }: RetryQuestion): number | undefined {
  const backOff = Math.min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT) * (0.5 + random / 2);
  const safe = keyed || idempotent.has(method);
  if ("failure" in outcome) {
    const { kind } = outcome.failure;
    return safe && (kind === "network" || kind === "timeout" || kind === "web-page") ? backOff : undefined;
  }
  const { status } = outcome.response;
  if (status !== 429 && status < 500) return undefined;
  const asked = asksFor(outcome, now);
  const retryable = status === 429 || safe || (status === 503 && asked !== undefined);
  return retryable ? (asked ?? backOff) : undefined;
}

/** Milliseconds after which a service wants to be asked again, if it says so. */
export function asksFor(outcome: Outcome, now: number): number | undefined {
  return "failure" in outcome ? undefined : retryAfter(outcome.response.headers["retry-after"], now);
}

/** Milliseconds that `Retry-After` asks for: seconds or an HTTP date, of which each form means GMT, the one that doesn't say so too. */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  if (!/[a-z]{3}/i.test(text)) return undefined;
  const date = Date.parse(/(?:GMT|UTC|[+-]\d{4})$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
