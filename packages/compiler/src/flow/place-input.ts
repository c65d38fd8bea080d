import { type Type, types } from "@configc/jq";
import type { Command, IntakeSymbol, WorkflowSymbol } from "../bind/bound-nodes.ts";
import { memberValue } from "../parse/member-value.ts";
import { payloadType } from "../samples/payload-type.ts";
import { pagedResponse } from "../samples/response-type.ts";
import { optionNames, resultItems } from "./outputs.ts";
import type { TypeFlow } from "./type-flow.ts";

/** What the outermost command of a place takes, where that isn't the roots (D16). */
export function placeInput({ place, unit }: Command, flow: TypeFlow): Type {
  const workflow = unit?.kind === "workflow" ? unit : undefined;
  switch (place.input) {
    case "response":
      return pagedResponse(flow.model);
    case "verification":
      return verification;
    case "delivery":
      return delivery;
    case "payload":
      if (unit?.kind === "intake") return sentBy(unit, flow);
      return workflow === undefined ? types.unknown : payload(workflow, flow);
    case "transformed":
      return workflow === undefined ? types.unknown : transformed(workflow, flow);
    default:
      return types.unknown;
  }
}

/**
 * The request that verifies a webhook (D16): names of headers and of parameters of the query aren't known, a parameter that
 * comes several times is a list, and the body may be anything.
 */
const query = types.object([], types.union(types.string, types.array(types.string)));
const headers = types.object([], types.string);
const verification: Type = types.record({
  method: types.string,
  headers,
  query,
  query_params: query,
  body: types.unknown,
  raw_body: types.string,
});

/** What `delivery_id` takes (D51). */
const delivery: Type = types.record({ headers, query, body: types.unknown });

/**
 * What samples show that a webhook sends; what a polling intake passes on is what its `request` returns as `results`. With a
 * historical import either comes: an item that isn't known should be as the webhook sends it, since both feed the same
 * pipeline.
 */
function payload({ intake, historicalIntake }: WorkflowSymbol, flow: TypeFlow): Type {
  const own = intake?.target;
  if (historicalIntake === undefined)
    return own?.type === "polling"
      ? polledItem(own, flow)
      : own === undefined
        ? types.unknown
        : sentBy(own, flow);
  const sent = own === undefined ? types.unknown : sentBy(own, flow);
  const polled =
    historicalIntake.target === undefined ? types.unknown : polledItem(historicalIntake.target, flow);
  return sent === types.unknown || polled === types.unknown ? sent : types.union(sent, polled);
}

/** What a webhook sends. */
function sentBy(intake: IntakeSymbol, { model }: TypeFlow): Type {
  return payloadType(intake, model);
}

function polledItem(intake: IntakeSymbol, flow: TypeFlow): Type {
  const request = intake.type === "polling" ? intake.commands.get("request") : undefined;
  return request === undefined ? types.unknown : resultItems(request, flow);
}

/**
 * What the customer's mapping makes of the source (D37): an object of target fields, or of groups of them. Their names are
 * known where `describe_target` lists them. Without a map step it is the source's output; `null` has been skipped (D35).
 */
function transformed({ node, maps }: WorkflowSymbol, flow: TypeFlow): Type {
  const [map] = maps;
  if (map === undefined) {
    const source = flow.commandAt(memberValue(node, "data_pipeline", "source"));
    const parts = types.partsOf(flow.output(source)).filter(({ kind }) => kind !== "null");
    return parts.length === 0 ? types.unknown : types.union(...parts);
  }
  const names = optionNames(memberValue(map.node, "describe_target", "options"));
  if (names === undefined || names.size === 0 || maps.length > 1) return types.anyObject;
  const flat = names.get(undefined);
  // Some with a group and some without is a mistake of its own.
  if (flat !== undefined && names.size > 1) return types.anyObject;
  const members: [string, Type][] =
    flat !== undefined
      ? [...flat].map((name) => [name, types.unknown])
      : [...names].map(([group, ids]) => [group ?? "", optionals([...ids].map((id) => [id, types.unknown]))]);
  return optionals([...members, ["_tags", types.array(types.string)]]);
}

function optionals(members: readonly (readonly [string, Type])[]): Type {
  return types.object(members.map(([name, type]) => [name, { type, optional: true }] as const));
}
