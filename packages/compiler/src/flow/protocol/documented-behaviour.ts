import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { describedRequests } from "../../samples/openapi/described.ts";
import { commentsBelow, hasComments } from "../documented-words.ts";
import type { ListReading } from "./list-reading.ts";
import type { ListParameter } from "./list-request.ts";

/**
 * Whether the OpenAPI document says of a list, or of the parameter that counts its pages, that it stays as it was at the first page, or a
 * comment in the intake does.
 */
export function documentedAsFrozen(
  { request, counter }: ListReading,
  intake: IntakeSymbol,
  model: Model,
): boolean {
  const operation = describedRequests(model).get(request.command)?.operation;
  const texts = [operation?.node["description"], operation?.node["summary"]];
  const own = counter === undefined ? undefined : documentedAs(counter, request.command, model);
  const comments = hasComments(model) ? commentsBelow(intake.node).map(({ value }) => value) : [];
  return [...texts, own, ...comments].some((text) => typeof text === "string" && frozen.test(text));
}

const frozen =
  /\b(?:snapshots?|frozen|freezes|point[- ]in[- ]time|consistent (?:view|read|paging|pagination)|stands still|(?:do(?:es)?(?: not|n['’]t)|never) (?:shift|move))\b/i;

/** What the OpenAPI document says of a bound: whether it takes in what lies on it; undefined where it doesn't say. */
export function documentedBound(
  parameter: ListParameter,
  { request }: ListReading,
  model: Model,
): "inclusive" | "exclusive" | undefined {
  const text = documentedAs(parameter, request.command, model) ?? "";
  if (/\binclusive\b|\bor equal\b|\b(?:at|on) or (?:after|later)\b|>=|≥/i.test(text)) return "inclusive";
  return /\bexclusive\b|\bstrictly\b|\b(?:later|greater|newer) than\b/i.test(text) ? "exclusive" : undefined;
}

function documentedAs(
  { name }: ListParameter,
  command: ListReading["request"]["command"],
  model: Model,
): string | undefined {
  const parameter = describedRequests(model)
    .get(command)
    ?.operation?.parameters.find((each) => each["in"] === "query" && each["name"] === name);
  const text = parameter?.["description"];
  return typeof text === "string" ? text : undefined;
}
