import { type Type, types } from "@configc/jq";
import { isObject, resolveReference, SchemaTypes } from "@configc/jq/internal";
import type { Command } from "../../bind/bound-nodes.ts";
import { derived } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import type { BodyFormat } from "../request-format.ts";
import { baseHost, type RequestPattern } from "../request-pattern.ts";
import { requestsOf } from "../requests.ts";
import { responseOf } from "../response.ts";
import { formMedia, jsonMedia, mediaType } from "./media.ts";
import { type ApiDescription, describe, matchOperation, type Operation } from "./operations.ts";
import { isAtOne } from "./servers.ts";

/** What the OpenAPI documents say of one `!http`. */
export interface DescribedRequest {
  readonly command: Command;
  readonly pattern: RequestPattern;
  /** The document that describes the API. */
  readonly description: ApiDescription;
  /** Undefined where the document has no such operation; then `samePath` are those of other methods. */
  readonly operation: Operation | undefined;
  readonly samePath: readonly Operation[];
}

/** The requests of a model that are described, or would be if the document knew them. */
export const describedRequests: (model: Model) => ReadonlyMap<Command, DescribedRequest> = derived(
  (model) => {
    const found = new Map<Command, DescribedRequest>();
    const descriptions = model.samples.documents
      .map(describe)
      .filter(({ operations }) => operations.length > 0);
    if (descriptions.length === 0) return found;
    for (const description of descriptions) {
      const requests = requestsTo(model, description);
      // A document whose servers are others, or that knows none of the requests, may be of another API.
      const applies = requests.some(
        ({ operation, onServer }) => onServer === true || operation !== undefined,
      );
      if (!applies) continue;
      for (const { onServer: _, ...request } of requests) {
        const known = found.get(request.command);
        if (known === undefined || (known.operation === undefined && request.operation !== undefined))
          found.set(request.command, request);
      }
    }
    return found;
  },
);

/** The requests that may be to the API of a document. */
function requestsTo(
  model: Model,
  description: ApiDescription,
): (DescribedRequest & { readonly onServer: boolean | undefined })[] {
  const base = baseHost(model);
  return requestsOf(model).flatMap(({ command, pattern }) => {
    const host = pattern.host ?? base;
    const { mayBeLonger, ...match } = matchOperation(pattern, host, description);
    const onServer = isAtOne(host, description.servers);
    // Of servers that only some operations have, the document needn't know all.
    const isItsOwn = match.samePath.length > 0 || (onServer ?? pattern.host === undefined);
    return mayBeLonger || !isItsOwn ? [] : [{ command, pattern, description, onServer, ...match }];
  });
}

/** What a successful response of an operation is (D20); undefined where the document doesn't say. */
export function describedType({ document: { content }, node }: Operation): Type | undefined {
  const responses = node["responses"];
  if (!isObject(responses)) return undefined;
  const schemas = new SchemaTypes(content, "response");
  const isSuccess = (status: string): boolean => /^2(?:\d\d|XX)$/i.test(status);
  const statuses = Object.keys(responses);
  // `default` is whatever isn't listed: most often the failures, beside a success that is.
  const wanted = statuses.some(isSuccess) ? isSuccess : (status: string) => status === "default";
  const bodies = Object.entries(responses).flatMap(([status, each]) => {
    if (!wanted(status)) return [];
    const response = resolveReference(content, each);
    const media = isObject(response) ? jsonMedia(content, response["content"]) : undefined;
    if (media !== undefined) return [mediaType(content, media, schemas)];
    // Nothing is described, or something that is no JSON.
    return isObject(response) && response["content"] === undefined ? [types.nullType] : [types.unknown];
  });
  const body = types.union(...bodies);
  return bodies.length === 0 || body.kind === "unknown" || body.kind === "null"
    ? undefined
    : responseOf(body);
}

/** What an operation takes as its body. */
export interface RequestBody {
  readonly type: Type;
  readonly required: boolean;
  readonly format: BodyFormat;
}

/**
 * The body that an operation takes; undefined where it takes none, or one that is neither JSON nor a form.
 *
 * @param sent what is sent, if that is known: an operation may take either
 */
export function requestBody(operation: Operation, sent: BodyFormat | undefined): RequestBody | undefined {
  const { content } = operation.document;
  const body = resolveReference(content, operation.node["requestBody"]);
  if (!isObject(body)) return undefined;
  const json = jsonMedia(content, body["content"]);
  const form = formMedia(content, body["content"]);
  const format = form !== undefined && (sent === "form" || json === undefined) ? "form" : "json";
  const media = format === "form" ? form : json;
  if (media === undefined) return undefined;
  const type = new SchemaTypes(content, "request").typeOf(media["schema"]);
  return { type, required: body["required"] === true, format };
}
