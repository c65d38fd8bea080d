import type { Json } from "@configc/jq";
import type { Model } from "../bind/model.ts";
import type { PayloadSample, Sample } from "../options/samples.ts";
import { bareName, isUuid, maskNumber, maskText } from "./mask-text.ts";
import { maskUrl } from "./mask-url.ts";

/**
 * Masking of responses before they are kept as samples. Types are learned from kinds of values, from `null` and from absence, so
 * all of that stays and every value that isn't certainly harmless goes.
 */

/** Lists show what they have by some of their items. */
const ITEMS_KEPT = 50;
/** What is nested deeper is left out; no type tells so much. */
const DEPTH_LIMIT = 64;

/**
 * A sample without secrets and personal data; kinds of values, `null`, absence and the names of members stay.
 *
 * @param model of the config that asked: where it has the request, its path stays as the config writes it, and what expansions
 *   stood for doesn't
 */
export function maskSample(sample: Sample, model?: Model): Sample {
  return { ...sample, url: maskUrl(sample, model), body: maskValue(sample.body, "", 0) };
}

/** The same for what a webhook sent. */
export function maskPayload(sample: PayloadSample): PayloadSample {
  return { ...sample, payload: maskValue(sample.payload, "", 0) };
}

/** @param name of the member that it is the value of, without `_` and `-`, in lower case */
function maskValue(value: Json, name: string, depth: number): Json {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return maskNumber(value, name);
  if (typeof value === "string") return maskText(value, name);
  if (depth >= DEPTH_LIMIT) return null;
  if (Array.isArray(value))
    return (value as readonly Json[]).slice(0, ITEMS_KEPT).map((item) => maskValue(item, name, depth + 1));
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  return Object.fromEntries(
    entries.map(([key, member], index) => [
      maskName(key, index + 1),
      maskValue(member, bareName(key), depth + 1),
    ]),
  );
}

/** Names that are data: addresses, keys, and what is made of numbers. Those of a dictionary stay ones of a dictionary. */
function maskName(name: string, number: number): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(name)) return `https://example.com/${number}`;
  if (name.includes("@")) return `person-${number}@example.com`;
  if (isKey(name)) return `key-${number}`;
  if (isUuid(name)) return `00000000-0000-4000-8000-${`${number}`.padStart(12, "0")}`;
  if (/^\d+$/.test(name)) return `${number}`;
  if (/^\d{4}-\d\d-\d\d/.test(name)) return name;
  if (/^[\da-f]{16,}$/i.test(name) && /\d/.test(name)) return `${number}`.padStart(16, "0");
  return name.replace(/\d(?:[\d\s()./-]*\d){4,}/g, `${number}`);
}

/** `sk_live_4eC39HqLyjWD`: long, without blanks, in letters of both cases with digits strewn in. */
function isKey(name: string): boolean {
  const digits = name.match(/\d+/g) ?? [];
  return /^[\w.+/=-]{16,}$/.test(name) && /[a-z]/.test(name) && /[A-Z]/.test(name) && digits.length > 2;
}
