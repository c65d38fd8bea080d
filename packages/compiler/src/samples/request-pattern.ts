import { escapedPattern, percentDecoded } from "@configc/jq/internal";
import type { Command } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import type { JsonNode, StringNode } from "../parse/syntax-tree.ts";
import { parseTemplate } from "../parse/template.ts";
import { readPath, readUrl, type UrlSyntax } from "../parse/url.ts";

/** A request as an `!http` writes it: expansions and placeholders stand for any text of a segment. */
export interface RequestPattern {
  /** In capitals; undefined where it isn't fixed. */
  readonly method: string;
  /** As in the document, for messages: `/v1/items/${…}`. */
  readonly shown: string;
  /** What is written, a `path` or a `url`. */
  readonly node: StringNode;
  /** Of a `url`, with its port; undefined for a `path`. */
  readonly host: SegmentPattern | undefined;
  /** Segments of the whole path, and of these how many come from `api.base_url`. */
  readonly segments: readonly SegmentPattern[];
  readonly baseLength: number;
  /** Query parameters with a fixed text. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A literal text, or what a segment with expansions has to look like. */
export type SegmentPattern = string | RegExp;

/** What the `!http` asks for; undefined where its text says too little, or is wrong. */
export function requestPattern(command: Command, model: Model): RequestPattern | undefined {
  const { argument } = command;
  if (argument?.kind !== "object") return undefined;
  const method = methodOf(argument.get("method"));
  const path = argument.get("path");
  const node = path ?? argument.get("url");
  if (method === undefined || node?.kind !== "string" || !node.valid || node.value === "") return undefined;
  const masked = maskedText(node.value);
  if (masked === undefined) return undefined;
  const url = readUrl(masked);
  // What begins with an expansion may be any address.
  if (path === undefined && url === undefined) return undefined;
  if (path !== undefined && url === undefined && masked.startsWith(ANY)) return undefined;
  const { path: span, query } = url ?? readPath(masked);
  const own = segmentsOf(masked.slice(span.start, span.end));
  const base = url === undefined ? baseSegments(model) : [];
  return {
    method,
    node,
    shown: node.value.replace(/\?.*$/s, "").replace(/\$\{[^}]*\}|\$<[^>]*>/g, "${…}"),
    host: url === undefined ? undefined : hostOf(masked, url),
    segments: [...base, ...own],
    baseLength: base.length,
    texts: textParameters(
      query === undefined ? "" : masked.slice(query.start, query.end),
      argument.get("params"),
    ),
  };
}

/** Stands for the text of an expansion: no URL has it. */
const ANY = "\u0000";

/** A text with one `ANY` for each expansion; undefined where one is broken. */
function maskedText(text: string): string | undefined {
  const template = parseTemplate(text);
  if (template?.expansions.some(({ problem }) => problem !== undefined) === true) return undefined;
  let masked = "";
  let at = 0;
  for (const { start, end } of template?.expansions ?? []) {
    masked += text.slice(at, start) + ANY;
    at = end;
  }
  // A `<PLACEHOLDER>` is filled in before a config is used.
  return (masked + text.slice(at)).replace(/<[A-Za-z][\w -]*>/g, ANY);
}

function methodOf(node: JsonNode | undefined): string | undefined {
  if (node === undefined) return "GET";
  return node.kind === "string" && /^[a-z]+$/i.test(node.value) ? node.value.toUpperCase() : undefined;
}

/** `api.base_url`, masked; undefined where it is no absolute URL. */
function baseUrl({ api }: Model): { readonly masked: string; readonly url: UrlSyntax } | undefined {
  const node = api?.node.get("base_url");
  const masked = node?.kind === "string" ? maskedText(node.value) : undefined;
  const url = masked === undefined ? undefined : readUrl(masked);
  return masked === undefined || url === undefined ? undefined : { masked, url };
}

function baseSegments(model: Model): SegmentPattern[] {
  const base = baseUrl(model);
  return base === undefined ? [] : segmentsOf(base.masked.slice(base.url.path.start, base.url.path.end));
}

/** The host that a `path` is asked of. */
export function baseHost(model: Model): SegmentPattern | undefined {
  const base = baseUrl(model);
  return base === undefined ? undefined : hostOf(base.masked, base.url);
}

function hostOf(masked: string, { host, port }: UrlSyntax): SegmentPattern {
  return patternOf(masked.slice(host.start, port?.end ?? host.end).toLowerCase());
}

function segmentsOf(path: string): SegmentPattern[] {
  return writtenSegments(path).map(patternOf);
}

function patternOf(masked: string): SegmentPattern {
  return openBetween(masked.split(new RegExp(`${ANY}+`)).map(percentDecoded));
}

/** What has these parts, and any text between them. */
export function openBetween(parts: readonly string[]): SegmentPattern {
  return parts.length === 1 ? parts[0]! : new RegExp(`^${parts.map(escapedPattern).join(".+")}$`, "s");
}

/** The segments of a path as they are written, without the empty ones at its ends. */
export function writtenSegments(path: string): string[] {
  const all = path.split("/");
  const isWritten = (segment: string): boolean => segment !== "";
  return all.slice(all.findIndex(isWritten), all.findLastIndex(isWritten) + 1);
}

/** The segments of a path without expansions. */
export function plainSegments(path: string): string[] {
  return writtenSegments(path).map(percentDecoded);
}

/** A number says how much is wanted, a text what. */
function textParameters(query: string, params: JsonNode | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query))
    if (!name.includes(ANY) && !value.includes(ANY)) found.set(name, value);
  if (params?.kind === "object")
    for (const { name, value } of params.members)
      if (value?.kind === "string" && parseTemplate(value.value) === undefined) found.set(name, value.value);
  for (const [name, value] of found) if (/^-?[\d.]*$/.test(value)) found.delete(name);
  return found;
}

/** Whether literal and expanded segments are the same; how many of them are fixed if so. */
export function matchSegments(
  pattern: readonly SegmentPattern[],
  segments: readonly string[],
): number | undefined {
  if (pattern.length !== segments.length) return undefined;
  let fixed = 0;
  for (const [index, wanted] of pattern.entries()) {
    const segment = segments[index]!;
    if (typeof wanted === "string") {
      if (wanted !== segment) return undefined;
      fixed++;
    } else if (!wanted.test(segment)) return undefined;
  }
  return fixed;
}
