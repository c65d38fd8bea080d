import { isObject, type JsonObject, percentDecoded } from "@configc/jq/internal";
import { openBetween, type SegmentPattern, writtenSegments } from "../request-pattern.ts";

/** Where an OpenAPI document says that operations are. */
export interface Server {
  /** As in the document, with defaults where a variable is more than a part of a segment. */
  readonly url: string;
  /** Undefined where it may be anywhere: the URL is relative, or begins with a variable. */
  readonly host: SegmentPattern | undefined;
  /** Of the path that stands before those of operations. */
  readonly segments: readonly SegmentPattern[];
}

/**
 * The servers of what lies nearest to an operation: its own, else its path's, else the document's. An empty list is none, and
 * none at all is the place where the document was found, which may be anywhere.
 */
export function serversOf(...owners: readonly JsonObject[]): readonly Server[] {
  for (const { servers } of owners) {
    const found = Array.isArray(servers) ? servers.flatMap(serverOf) : [];
    if (found.length > 0) return found;
  }
  return serverOf({ url: "/" });
}

function serverOf(server: unknown): Server[] {
  const url = isObject(server) ? server["url"] : undefined;
  if (!isObject(server) || typeof url !== "string") return [];
  const written = withDefaults(url, server["variables"]);
  const [, host, path = ""] = /^(?:[a-z{}]+:)?(?:\/\/([^/]*))?(.*)$/is.exec(written) ?? [];
  // `{origin}/v1`: scheme and host are left open.
  const own = host === undefined ? path.replace(/^\{[^{}]*\}/, "") : path;
  return [
    { url, host: host ? patternOf(withoutPort(host.toLowerCase())) : undefined, segments: segmentsOf(own) },
  ];
}

/** Variables may have any value; but one that stands for no segment, or for several, says so by its default only. */
function withDefaults(url: string, variables: unknown): string {
  return url.replace(/\{([^{}]*)\}/g, (written, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined;
    const value = isObject(variable) ? variable["default"] : undefined;
    return value === "" || (typeof value === "string" && value.includes("/")) ? value : written;
  });
}

/** A port that goes without saying may be said. */
function withoutPort(host: string): string {
  return host.replace(/:(?:443|80)$/, "");
}

/** The segments of a path of a document; `{id}` stands for any text of one. */
export function segmentsOf(path: string): SegmentPattern[] {
  // Some documents tell operations of one path apart by a query or a fragment.
  return writtenSegments(path.replace(/[?#].*$/s, "")).map(patternOf);
}

/** `{id}.json`, `{shop}.example.com` */
function patternOf(text: string): SegmentPattern {
  return openBetween(text.split(/\{[^{}]*\}/).map(percentDecoded));
}

/** Whether a request to a host may be one to a server: undefined where that can't be told. */
export function isAt(host: SegmentPattern | undefined, server: Server): boolean | undefined {
  if (host === undefined || server.host === undefined) return undefined;
  return mayBe(host, server.host);
}

function mayBe(one: SegmentPattern, other: SegmentPattern): boolean | undefined {
  // A host that is an expansion altogether may be any.
  if (typeof one !== "string" && !/\w/.test(one.source)) return undefined;
  return matches(one, textLike(other)) || matches(other, textLike(one));
}

function matches(pattern: SegmentPattern, text: string): boolean {
  return typeof pattern === "string" ? pattern === text : pattern.test(text);
}

/** A text that a pattern matches. */
function textLike(pattern: SegmentPattern): string {
  return typeof pattern === "string"
    ? withoutPort(pattern)
    : pattern.source.slice(1, -1).replaceAll(".+", "x").replace(/\\(.)/gs, "$1");
}

/** The same of several servers: one is enough. */
export function isAtOne(host: SegmentPattern | undefined, servers: readonly Server[]): boolean | undefined {
  let all: boolean | undefined = servers.length === 0 ? undefined : false;
  for (const server of servers) {
    const found = isAt(host, server);
    if (found === true) return true;
    all = found === undefined ? undefined : all;
  }
  return all;
}
