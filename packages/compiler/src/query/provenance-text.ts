import { printType, type Type, types } from "@configc/jq";
import type { Command, IntakeSymbol } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import type { Origin, Trail } from "../flow/origin.ts";
import { pathText } from "../flow/origin.ts";
import { type Learned, presence, shapeOfResponse } from "../samples/evidence.ts";
import { describedRequests } from "../samples/openapi/described.ts";
import { describedPayloads } from "../samples/openapi/webhooks.ts";
import { learnedPayloads } from "../samples/payloads.ts";
import { requestPattern } from "../samples/request-pattern.ts";
import { withoutHiddenBody } from "../samples/response.ts";
import { describedTypes } from "../samples/response-type.ts";
import { learnedResponses } from "../samples/responses.ts";
import { type Shape, seen, shapeAt } from "../samples/shape.ts";

/** Sources that are named; the others are counted. */
const NAMED = 3;

/**
 * Where a value comes from as people read it: `string <- .items[].name <- GET /v1/items <- 14 samples`. Of several sources, each
 * stands on a line of its own below the type, the first three of them.
 *
 * @param type undefined where only the way is of interest
 */
export function trailsText(model: Model, type: Type | undefined, trails: readonly Trail[]): string {
  const [only = "", ...others] = waysOf(model, trails);
  const head = type === undefined ? undefined : shortType(type);
  if (others.length === 0) return head === undefined ? only.replace(/^<- /, "") : `${head} ${only}`;
  return [head ?? "one of", ...[only, ...others].map((way) => `  ${way}`)].join("\n");
}

/** The ways of trails, a line each: `<- .items[].name <- GET /v1/items <- 14 samples`, or `and 2 more`. */
export function waysOf(model: Model, trails: readonly Trail[]): readonly string[] {
  const ways = [...new Set(trails.map((trail) => wayText(model, trail)))];
  const more = ways.length - NAMED;
  return more > 0 ? [...ways.slice(0, NAMED), `and ${more} more`] : ways;
}

/** Whether it is known where a value comes from, other than that an expression makes it on the spot: that can be seen. */
export function tellsMore(trails: readonly Trail[]): boolean {
  return trails.some(({ origin }) => origin.kind !== "made");
}

function wayText(model: Model, { hops, origin }: Trail): string {
  return [...hops, ...originSteps(model, origin)]
    .filter((step, index, all) => step !== all[index - 1])
    .map((step) => `<- ${step}`)
    .join(" ");
}

/** A type on one line: its kinds, not all that is in it. */
function shortType(type: Type): string {
  return printType(types.widenLiterals(withoutHiddenBody(type)), { depth: 1, members: 4 });
}

function originSteps(model: Model, origin: Origin): string[] {
  switch (origin.kind) {
    case "response":
      return [...pathStep(origin.path), ...requestSteps(model, origin.command, origin.path)];
    case "payload":
      return [...pathStep(origin.path), ...payloadSteps(model, origin.intake, origin.path)];
    case "field":
      return [`the form field \`${origin.field.id ?? ""}\``];
    case "resource": {
      const { argument } = origin.command;
      return [...pathStep(origin.path), argument?.kind === "string" ? argument.value : "!resource"];
    }
    case "place":
      return [...pathStep(origin.path), placeText(origin.command)];
    case "made": {
      const { program, node } = origin;
      const text = program.node.value.slice(node.start, node.end).replace(/\s+/g, " ");
      return [text.length > 40 ? `${text.slice(0, 39)}…` : text];
    }
    case "command":
      return [...pathStep(origin.path), origin.command.key];
  }
}

function pathStep(path: readonly string[]): string[] {
  return path.length === 0 ? [] : [pathText(path)];
}

/** The request, and what is known of its responses. */
function requestSteps(model: Model, command: Command, path: readonly string[]): string[] {
  const pattern = requestPattern(command, model);
  const request = pattern === undefined ? "!http" : `${pattern.method} ${pattern.shown}`;
  const operation = describedRequests(model).get(command)?.operation;
  if (operation !== undefined && describedTypes(model).has(command))
    return [request, operation.document.name];
  const learned = learnedResponses(model).get(command);
  if (learned === undefined) return [request, "no samples, so any value"];
  return [request, samplesText(learned, shapeOfResponse(learned, path.slice(0, -1)), path.at(-1))];
}

/** The webhook, and what is known of its payloads. */
function payloadSteps(model: Model, intake: IntakeSymbol, path: readonly string[]): string[] {
  const webhook = `the webhook \`${intake.name ?? ""}\``;
  const described = describedPayloads(model).get(intake);
  if (described !== undefined) return [webhook, described.document.name];
  const learned = learnedPayloads(model).get(intake);
  if (learned === undefined) return [webhook];
  return [webhook, samplesText(learned, shapeAt(learned.shape, path.slice(0, -1)), path.at(-1))];
}

/**
 * How many samples there are, and how many of their objects have a member unless all do: "14 samples: in 12 of 14, null in 2".
 *
 * @param owner of the objects that may have the member
 */
function samplesText(
  { samples: { length, 0: first } }: Learned,
  owner: Shape | undefined,
  name: string | undefined,
): string {
  const samples = length === 1 ? (first?.name ?? "1 sample") : `${length} samples`;
  const member = name === undefined || name === "[]" ? undefined : shapeAt(owner, [name]);
  if (member === undefined || owner === undefined) return samples;
  const isAlwaysThere = seen(member) === owner.objects && member.nulls === 0;
  return isAlwaysThere ? samples : `${samples}: ${presence(member, owner.objects)}`;
}

function placeText({ place }: Command): string {
  switch (place.input) {
    case "payload":
      return "what the webhook sends";
    case "delivery":
      return "what was delivered";
    case "verification":
      return "the request to verify";
    case "transformed":
      return "what the mapping gives";
    case "response":
      return "a page";
    default:
      return "the roots";
  }
}
