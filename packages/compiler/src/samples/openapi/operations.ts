import { isObject, type JsonObject, resolveReference } from "@configc/jq/internal";
import type { ApiDocument } from "../../options/samples.ts";
import { matchSegments, type RequestPattern, type SegmentPattern } from "../request-pattern.ts";
import { isAt, type Server, segmentsOf, serversOf } from "./servers.ts";

/** One operation of an OpenAPI document. */
export interface Operation {
  readonly document: ApiDocument;
  /** In capitals. */
  readonly method: string;
  /** As in the document: `/items/{id}`. */
  readonly path: string;
  readonly segments: readonly SegmentPattern[];
  /** Its own, its path's or the document's. */
  readonly servers: readonly Server[];
  readonly node: JsonObject;
  /** Of the path and the operation, references followed. */
  readonly parameters: readonly JsonObject[];
}

/** What an OpenAPI document describes. */
export interface ApiDescription {
  readonly document: ApiDocument;
  readonly operations: readonly Operation[];
  /** Of what names none of its own. */
  readonly servers: readonly Server[];
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch"] as const;

/** Documents are read once for all configs that they are named for. */
const described = new WeakMap<ApiDocument, ApiDescription>();

/** The operations of a document; none if it isn't one of OpenAPI 3. */
export function describe(document: ApiDocument): ApiDescription {
  const known = described.get(document);
  if (known !== undefined) return known;
  const description = read(document);
  described.set(document, description);
  return description;
}

function read(document: ApiDocument): ApiDescription {
  const { content } = document;
  if (!isOpenApi3(content)) return { document, operations: [], servers: [] };
  const paths = isObject(content["paths"]) ? content["paths"] : {};
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(paths)) {
    const found = resolveReference(content, item);
    if (!isObject(found) || !path.startsWith("/")) continue;
    for (const method of methods) {
      const node = resolveReference(content, found[method]);
      if (!isObject(node)) continue;
      operations.push({
        document,
        method: method.toUpperCase(),
        path,
        segments: segmentsOf(path),
        servers: serversOf(node, found, content),
        node,
        parameters: parametersOf(content, found, node),
      });
    }
  }
  return { document, operations, servers: serversOf(content) };
}

/** Whether it says so; a version without quotes is a number in YAML. */
export function isOpenApi3(content: unknown): content is JsonObject {
  return isObject(content) && /^3(?:\.|$)/.test(String(content["openapi"]));
}

/** Those of the operation win over those of its path. */
function parametersOf(content: unknown, ...owners: readonly JsonObject[]): JsonObject[] {
  const found = new Map<string, JsonObject>();
  for (const owner of owners) {
    const list = owner["parameters"];
    for (const each of Array.isArray(list) ? list : []) {
      const parameter = resolveReference(content, each);
      if (isObject(parameter)) found.set(`${parameter["in"]} ${parameter["name"]}`, parameter);
    }
  }
  return [...found.values()];
}

/** Path parameters that stand for several segments, by their name or by a mark of their own. */
const manySegments = /\{(?:\+.*|.*[+*]|(?:.*[\w-])?path|ref|branch|basehead|wildcard|proxy)\}$/i;

/** How a request and a description fit. */
interface OperationMatch {
  /** The operation of the method; undefined where there is none. */
  readonly operation: Operation | undefined;
  /** Those of the same path, whatever their method. */
  readonly samePath: readonly Operation[];
  /** Whether the end of the path may be what a parameter of an operation stands for: `/files/{path}`. */
  readonly mayBeLonger: boolean;
}

/**
 * The operation that a request is of; `samePath` is empty where the document has no such path.
 *
 * @param host what the request is asked of; undefined where that isn't known
 */
export function matchOperation(
  pattern: RequestPattern,
  host: SegmentPattern | undefined,
  { operations }: ApiDescription,
): OperationMatch {
  let best = -1;
  let found: Operation[] = [];
  for (const operation of operations) {
    const fixed = fit(pattern, host, operation);
    if (fixed === undefined || fixed < best) continue;
    if (fixed > best) found = [];
    best = fixed;
    found.push(operation);
  }
  const { path } = found[0] ?? {};
  const samePath = found.filter((operation) => operation.path === path);
  const own = found.find(({ method }) => method === pattern.method);
  const mayBeLonger =
    path === undefined &&
    operations.some((operation) => manySegments.test(operation.path) && isLonger(pattern, host, operation));
  return { operation: own, samePath: own === undefined ? samePath : [own], mayBeLonger };
}

/** Whether a request begins as an operation does. */
function isLonger(pattern: RequestPattern, host: SegmentPattern | undefined, operation: Operation): boolean {
  const { segments, baseLength } = pattern;
  return segments.some((_, end) => {
    const beginning = { ...pattern, segments: segments.slice(0, end) };
    return end > baseLength && fit(beginning, host, operation) !== undefined;
  });
}

function fit(
  pattern: RequestPattern,
  host: SegmentPattern | undefined,
  { segments, servers }: Operation,
): number | undefined {
  const isPath = pattern.host === undefined;
  // A URL has to be one of a server; a path may be where that can't be told.
  const possible = servers.filter((server) => isAt(host, server) ?? isPath);
  if (possible.length === 0) return undefined;
  const ways: [readonly SegmentPattern[], readonly SegmentPattern[]][] = possible.map((server) => [
    pattern.segments,
    [...server.segments, ...segments],
  ]);
  // The base URL may be written in another way than the document's server.
  if (isPath) ways.push([pattern.segments.slice(pattern.baseLength), segments], [pattern.segments, segments]);
  const scores = ways.flatMap(([asked, described]) => fitSegments(asked, described) ?? []);
  return scores.length === 0 ? undefined : Math.max(...scores);
}

/** The more is said literally on both sides, the better. */
function fitSegments(
  asked: readonly SegmentPattern[],
  described: readonly SegmentPattern[],
): number | undefined {
  if (asked.length !== described.length) return undefined;
  let score = 0;
  for (const [index, segment] of asked.entries()) {
    const other = described[index]!;
    if (typeof segment === "string") {
      if (matchSegments([other], [segment]) === undefined) return undefined;
      // `{id}.csv` says more than `{id}`.
      score += typeof other === "string" ? 3 : 1 + other.source.length / 1000;
    } else if (typeof other === "string") {
      // `/items/${id}` is rather `/items/{id}` than `/items/search`.
      if (!segment.test(other)) return undefined;
    } else score += segment.source === other.source ? 2.5 : 2;
  }
  return score;
}
