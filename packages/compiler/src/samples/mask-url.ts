import { percentDecoded } from "@configc/jq/internal";
import type { Model } from "../bind/model.ts";
import type { Sample } from "../options/samples.ts";
import { bareName, isUuid, maskText } from "./mask-text.ts";
import { plainSegments, type RequestPattern, type SegmentPattern } from "./request-pattern.ts";
import { requestsOfSample } from "./requests.ts";

/**
 * The address of a sample without what is a person's: samples are found by it, so what the config writes stays. Of the query,
 * what tells requests apart and what is harmless.
 */
export function maskUrl(sample: Sample, model: Model | undefined): string {
  const [address = "", query] = sample.url.split(/[?#]/, 2);
  const [, origin = "", path = ""] = /^(\w+:\/\/[^/]*)?(.*)$/s.exec(address) ?? [];
  const pattern = model === undefined ? undefined : requestsOfSample(sample, model)[0]?.pattern;
  const masked = `${maskOrigin(origin, pattern, model)}${maskPath(path, pattern)}`;
  // A parameter without its value would be another one.
  const kept = new URLSearchParams(
    [...new URLSearchParams(query ?? "")].filter(
      ([name, value]) => pattern?.texts.get(name) === value || maskText(value, bareName(name)) === value,
    ),
  );
  return kept.size === 0 ? masked : `${masked}?${kept}`;
}

/** A host that the config leaves to a customer, `https://${subdomain}.example.com`, names the customer. */
function maskOrigin(origin: string, pattern: RequestPattern | undefined, model: Model | undefined): string {
  const base = model?.api?.node.get("base_url");
  const isOpen = base?.kind === "string" && /\$[{<]/.test(base.value);
  if (isOpen && typeof pattern?.host !== "string" && origin !== "") return "https://example.com";
  return origin.replace(/^(\w+:\/\/).*@/, "$1");
}

function maskPath(path: string, pattern: RequestPattern | undefined): string {
  const count = plainSegments(path).length;
  // The sample may be of another server, without the path of `api.base_url`.
  const wanted = pattern?.segments.slice(pattern.segments.length - count) ?? [];
  let index = 0;
  return path.replace(/[^/]+/g, (segment) => maskSegment(percentDecoded(segment), segment, wanted[index++]));
}

/** @param wanted how the config writes it; undefined where it has no such request */
function maskSegment(text: string, written: string, wanted: SegmentPattern | undefined): string {
  if (typeof wanted === "string") return written;
  const value = standIn(text);
  if (wanted === undefined) return isSuspicious(text) ? value : written;
  // Where an expansion is a part of it, `${id}.json`, the rest stays.
  const parts = wanted.source.slice(1, -1).split(/(?<!\\)\.\+/);
  return parts.map((part) => encodeURIComponent(part.replace(/\\(.)/gs, "$1"))).join(value);
}

function standIn(text: string): string {
  if (text.includes("@")) return "person@example.com";
  if (isUuid(text)) return "00000000-0000-4000-8000-000000000000";
  return /^\d+$/.test(text) ? "1" : "text";
}

/** What a person's name, a number or a key may look like. */
function isSuspicious(text: string): boolean {
  return /[@\s+]|\d{5}/.test(text) || isUuid(text) || (text.length >= 16 && /\d/.test(text));
}
