import type { Model } from "../bind/model.ts";
import type { Sample } from "../options/samples.ts";
import { readPath, readUrl } from "../parse/url.ts";
import { matchSegments, plainSegments, type RequestPattern } from "./request-pattern.ts";

/**
 * Whether a sample is a response to a request, by method and path: expansions stand for any segment.
 *
 * A recording may have been made of another server (`--base-url`), so for a `path` only the path counts, with or without that
 * of `api.base_url`.
 *
 * @returns how many segments are fixed, so that `/lists/all` is told from `/lists/${id}`; undefined if it isn't one
 */
export function matchSample(pattern: RequestPattern, sample: Sample, model: Model): number | undefined {
  if (pattern.method !== sample.method) return undefined;
  const url = readUrl(sample.url);
  const { path, query } = url ?? readPath(sample.url);
  if (pattern.host !== undefined && url !== undefined) {
    const host = sample.url.slice(url.host.start, url.port?.end ?? url.host.end).toLowerCase();
    if (matchSegments([pattern.host], [host]) === undefined) return undefined;
  }
  const segments = plainSegments(sample.url.slice(path.start, path.end));
  const whole = matchSegments(pattern.segments, segments);
  const own =
    whole === undefined && (url === undefined || !isBaseHost(sample, model))
      ? matchSegments(pattern.segments.slice(pattern.baseLength), segments)
      : undefined;
  const fixed = whole ?? own;
  if (fixed === undefined || query === undefined) return fixed;
  const sent = new URLSearchParams(sample.url.slice(query.start, query.end));
  for (const [name, value] of pattern.texts) {
    const other = sent.get(name);
    if (other !== null && other !== value) return undefined;
  }
  return fixed;
}

function isBaseHost({ url }: Sample, model: Model): boolean {
  const node = model.api?.node.get("base_url");
  const [own, other] = [readUrl(node?.kind === "string" ? node.value : ""), readUrl(url)];
  if (node?.kind !== "string" || own === undefined || other === undefined) return false;
  return (
    node.value.slice(own.host.start, own.host.end).toLowerCase() ===
    url.slice(other.host.start, other.host.end).toLowerCase()
  );
}
