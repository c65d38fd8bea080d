import { type Type, types } from "@configc/jq";
import type { IntakeSymbol } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { describedPayloads } from "./openapi/webhooks.ts";
import { learnedPayloads } from "./payloads.ts";

/** What a webhook sends: what a document says of it, as for responses; where none does, what the samples show. */
export function payloadType(intake: IntakeSymbol, model: Model): Type {
  return (
    describedPayloads(model).get(intake)?.type ?? learnedPayloads(model).get(intake)?.type ?? types.unknown
  );
}

/** Whether anything is known of what it sends. */
export function knowsPayload(intake: IntakeSymbol, model: Model): boolean {
  return describedPayloads(model).has(intake) || learnedPayloads(model).has(intake);
}
