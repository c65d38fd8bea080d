import { printType, type Type, types } from "@configc/jq";
import type { Command, Model } from "../bind/model.ts";
import type { Origin, Trail } from "../flow/origin.ts";
import { pathText } from "../flow/origin.ts";
import { presence, shapeOfResponse } from "../samples/evidence.ts";
import { describedRequests } from "../samples/openapi/described.ts";
import { requestPattern } from "../samples/request-pattern.ts";
import { withoutHiddenBody } from "../samples/response.ts";
import { describedTypes } from "../samples/response-type.ts";
import { learnedResponses } from "../samples/responses.ts";
import { shapeAt } from "../samples/shape.ts";

/** A trail as people read it: `string <- .items[].name <- GET /v1/items <- 14 samples`. */
export function trailText(model: Model, type: Type | undefined, { hops, origin }: Trail): string {
  const steps = [...hops, ...originSteps(model, origin)].filter(
    (step, index, all) => step !== all[index - 1],
  );
  return [...(type === undefined ? [] : [shortType(type)]), ...steps].join(" <- ");
}

/** A type on one line: its kinds, not all that is in it. */
function shortType(type: Type): string {
  return printType(types.widenLiterals(withoutHiddenBody(type)), { depth: 1, members: 4 });
}

function originSteps(model: Model, origin: Origin): string[] {
  switch (origin.kind) {
    case "response":
      return [...pathStep(origin.path), ...requestSteps(model, origin.command, origin.path)];
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
  if (learned === undefined) return [request, "no samples, so anything"];
  const { length } = learned.samples;
  const samples = length === 1 ? (learned.samples[0]?.name ?? "1 sample") : `${length} samples`;
  const owner = shapeOfResponse(learned, path.slice(0, -1));
  const name = path.at(-1);
  const member = name === undefined || name === "[]" ? undefined : shapeAt(owner, [name]);
  const rare = member !== undefined && owner !== undefined ? presence(member, owner.objects) : "";
  return [
    request,
    rare.startsWith("in all") && !rare.includes("null")
      ? samples
      : rare === ""
        ? samples
        : `${samples}: ${rare}`,
  ];
}

function placeText({ place }: Command): string {
  switch (place.input) {
    case "payload":
      return "what the webhook sends";
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
