import type { Type } from "@configc/jq";
import { derived } from "../../bind/derived.ts";
import type { IntakeSymbol, Model } from "../../bind/model.ts";
import type { ApiDocument } from "../samples.ts";
import { bodyOf, describedRequests } from "./described.ts";
import { describe } from "./operations.ts";
import { isObject, type JsonObject, resolveReference, SchemaTypes } from "./schema-type.ts";

/** What an OpenAPI document says that a webhook sends. */
export interface DescribedPayload {
  readonly type: Type;
  readonly document: ApiDocument;
}

/**
 * What the documents of a model say of its webhooks, by intake: `webhooks` of OpenAPI 3.1, and `x-webhooks` as documents of 3.0
 * write it. A webhook is the intake of its name, in whatever spelling of its words.
 */
export const describedPayloads: (model: Model) => ReadonlyMap<IntakeSymbol, DescribedPayload> = derived(
  (model) => {
    const found = new Map<IntakeSymbol, DescribedPayload>();
    for (const document of model.samples.documents) {
      const webhooks = webhooksOf(document);
      if (webhooks.size === 0 || !describesApi(document, model)) continue;
      for (const intake of model.intakes) {
        if (intake.type !== "webhook" || intake.name === undefined || found.has(intake)) continue;
        const node = webhooks.get(intake.name) ?? onlyLike(intake.name, webhooks);
        const type = node === undefined ? undefined : payloadOf(node, document);
        if (type !== undefined) found.set(intake, { type, document });
      }
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
  const version = isObject(content) ? content["openapi"] : undefined;
  if (!isObject(content) || typeof version !== "string" || !version.startsWith("3")) return new Map();
  const webhooks = content["webhooks"] ?? content["x-webhooks"];
  return new Map(
    Object.entries(isObject(webhooks) ? webhooks : {}).flatMap(([name, each]) => {
      const item = resolveReference(content, each);
      return isObject(item) ? [[name, item] as const] : [];
    }),
  );
}

function onlyLike(name: string, webhooks: ReadonlyMap<string, JsonObject>): JsonObject | undefined {
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
    const body = isObject(operation) ? bodyOf(content, operation) : undefined;
    if (body === undefined) continue;
    const type = new SchemaTypes(content, "response").typeOf(body.media["schema"]);
    return type.kind === "unknown" ? undefined : type;
  }
  return undefined;
}
