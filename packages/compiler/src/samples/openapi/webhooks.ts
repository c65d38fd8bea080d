import type { Type } from "@configc/jq";
import { isObject, type JsonObject, resolveReference, SchemaTypes } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import { derived } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import type { ApiDocument } from "../../options/samples.ts";
import { describedRequests } from "./described.ts";
import { formMedia, jsonMedia, mediaType } from "./media.ts";
import { describe, isOpenApi3, type Operation } from "./operations.ts";

/** What an OpenAPI document says that a webhook sends. */
interface DescribedPayload {
  readonly type: Type;
  readonly document: ApiDocument;
}

/**
 * What the documents of a model say of its webhooks, by intake: `webhooks` of OpenAPI 3.1, and `x-webhooks` as documents of 3.0
 * write it. A webhook is the intake of its name, in whatever spelling of its words. Where none is, the `callbacks` of the
 * operations by which the intake registers itself: the one of its name, or the only one.
 */
export const describedPayloads: (model: Model) => ReadonlyMap<IntakeSymbol, DescribedPayload> = derived(
  (model) => {
    const found = new Map<IntakeSymbol, DescribedPayload>();
    for (const document of model.samples.documents) {
      const webhooks = webhooksOf(document);
      if (webhooks.size === 0 || !describesApi(document, model)) continue;
      for (const intake of model.intakes) {
        if (intake.type !== "webhook" || intake.name === undefined || found.has(intake)) continue;
        const node = ofName(intake.name, webhooks);
        const type = node === undefined ? undefined : payloadOf(node, document);
        if (type !== undefined) found.set(intake, { type, document });
      }
    }
    for (const [{ unit }, { operation }] of describedRequests(model)) {
      if (unit?.kind !== "intake" || unit.type !== "webhook" || found.has(unit) || operation === undefined)
        continue;
      const callbacks = callbacksOf(operation);
      const node =
        ofName(unit.name ?? "", callbacks) ??
        (callbacks.size === 1 ? callbacks.values().next().value : undefined);
      const type = node === undefined ? undefined : payloadOf(node, operation.document);
      if (type !== undefined) found.set(unit, { type, document: operation.document });
    }
    return found;
  },
);

/** A document without operations describes webhooks only: it was named for them. */
function describesApi(document: ApiDocument, model: Model): boolean {
  const description = describe(document);
  if (description.operations.length === 0) return true;
  return [...describedRequests(model).values()].some((request) => request.description === description);
}

function webhooksOf({ content }: ApiDocument): Map<string, JsonObject> {
  if (!isOpenApi3(content)) return new Map();
  const webhooks = content["webhooks"] ?? content["x-webhooks"];
  return new Map(
    Object.entries(isObject(webhooks) ? webhooks : {}).flatMap(([name, each]) => {
      const item = resolveReference(content, each);
      return isObject(item) ? [[name, item] as const] : [];
    }),
  );
}

/** By name; a callback that is sent to several addresses counts once for each. */
function callbacksOf({ node, document: { content } }: Operation): Map<string, JsonObject> {
  const callbacks = node["callbacks"];
  return new Map(
    Object.entries(isObject(callbacks) ? callbacks : {}).flatMap(([name, each]) => {
      const addresses = resolveReference(content, each);
      return Object.entries(isObject(addresses) ? addresses : {}).flatMap(([address, value], index) => {
        const item = resolveReference(content, value);
        if (!isObject(item) || address.startsWith("x-")) return [];
        return [[index === 0 ? name : `${name} ${address}`, item] as const];
      });
    }),
  );
}

/** The one of a name, or the only one of its words. */
function ofName(name: string, webhooks: ReadonlyMap<string, JsonObject>): JsonObject | undefined {
  const own = webhooks.get(name);
  if (own !== undefined) return own;
  const alike = [...webhooks].filter(([other]) => bare(other) === bare(name));
  return alike.length === 1 ? alike[0]?.[1] : undefined;
}

function bare(name: string): string {
  return name.replace(/[^\p{L}\d]/gu, "").toLowerCase();
}

/** The body that is posted; undefined where the document doesn't say. */
function payloadOf(item: JsonObject, { content }: ApiDocument): Type | undefined {
  for (const method of ["post", "put", "patch"]) {
    const operation = resolveReference(content, item[method]);
    const body = isObject(operation) ? resolveReference(content, operation["requestBody"]) : undefined;
    if (!isObject(body)) continue;
    const media = jsonMedia(content, body["content"]) ?? formMedia(content, body["content"]);
    if (media === undefined) continue;
    const type = mediaType(content, media, new SchemaTypes(content, "response"));
    return type.kind === "unknown" ? undefined : type;
  }
  return undefined;
}
