import type { Json } from "@configc/jq";
import type { PayloadSample, Sample } from "./samples.ts";

/**
 * Masking of responses before they are kept as samples. Types are learned from kinds of values, from `null` and from absence, so
 * all of that stays and every value that isn't certainly harmless goes: rather too many than one of a customer's.
 */

/** Lists show what they have by some of their items. */
const ITEMS_KEPT = 50;
/** What is nested deeper is left out; no type tells so much. */
const DEPTH_LIMIT = 64;

/** Members whose values are personal or secret whatever they look like; names without `_` and `-`, in lower case. */
const SENSITIVE =
  /name$|^(?:to|from|cc|bcc)$|mail|phone|mobile|fax|address|street|^line\d?$|city|town|postal|zip|state$|county|country|region|birth|^dob$|gender|^age$|ssn|tax|vat|iban|bic|account|card|cvc|iban|lat$|latitude|lon$|lng|longitude|^ip|password|passwd|secret|token|apikey|^key$|auth|credential|cookie|session|signature|hash|cursor|user|owner|author|contact|customer|company|note|comment|message|subject|body|text|title|description|label$/;

/** A sample without secrets and personal data; kinds of values, `null`, absence and the names of members stay. */
export function maskSample(sample: Sample): Sample {
  return { ...sample, url: maskUrl(sample.url), body: maskValue(sample.body, false, 0) };
}

/** The same for what a webhook sent. */
export function maskPayload(sample: PayloadSample): PayloadSample {
  return { ...sample, payload: maskValue(sample.payload, false, 0) };
}

function maskValue(value: Json, sensitive: boolean, depth: number): Json {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return maskNumber(value, sensitive);
  if (typeof value === "string") return maskText(value, sensitive);
  if (depth >= DEPTH_LIMIT) return null;
  if (Array.isArray(value))
    return (value as readonly Json[])
      .slice(0, ITEMS_KEPT)
      .map((item) => maskValue(item, sensitive, depth + 1));
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  return Object.fromEntries(
    entries.map(([name, member], index) => [
      name.includes("@") ? `person-${index + 1}@example.com` : name,
      maskValue(member, isSensitive(name) || (sensitive && typeof member !== "object"), depth + 1),
    ]),
  );
}

function isSensitive(name: string): boolean {
  return SENSITIVE.test(name.replace(/[\s_-]/g, "").toLowerCase());
}

/** A number of many digits may be an account, a telephone or a card. */
function maskNumber(value: number, sensitive: boolean): number {
  if (sensitive) return Number.isInteger(value) ? 0 : 0.5;
  return Math.abs(value) < 1_000_000 ? value : Math.sign(value) * 1_000_000;
}

/** A text of the same form, as far as forms are known. */
function maskText(text: string, sensitive: boolean): string {
  if (text === "") return text;
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return "person@example.com";
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return "https://example.com/";
  if (!sensitive) {
    // Words such as `active` and `invoice_paid`, codes such as `EUR`, and times say what a value is about, not whose it is.
    if (/^(?:[a-z]+(?:[._-][a-z]+)*|[A-Z]{2,3})$/.test(text) && text.length <= 30) return text;
    if (/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text))
      return text;
  }
  if (/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text)) return "00000000-0000-4000-8000-000000000000";
  if (!sensitive && /^\d{1,3}$/.test(text)) return text;
  if (/^[\d\s()+.,/-]+$/.test(text)) return text.replace(/\d/g, "0");
  return "text";
}

/** Addresses keep their path, by which samples are found, except for what is a person's; of the query, only what is harmless. */
function maskUrl(url: string): string {
  const [address = "", query] = url.split(/[?#]/, 2);
  const path = address
    .replace(/^(\w+:\/\/)[^/]*@/, "$1")
    .replace(/[^/]*(?:@|%40)[^/]*/gi, "person@example.com");
  if (query === undefined || query === "") return path;
  // A parameter without its value would be another one.
  const kept = new URLSearchParams(
    [...new URLSearchParams(query)].filter(([name, value]) => maskText(value, isSensitive(name)) === value),
  );
  return kept.size === 0 ? path : `${path}?${kept}`;
}
