import type { App, AppIntake, AppWorkflow, ParameterMeaning } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { answerShape } from "../service/shape.ts";
import { CommandWalk } from "../symbolic/command.ts";
import { isPlaceOf, literal, type Value } from "../symbolic/value.ts";
import { indicatorsOf, orderOf, sizeOf } from "./paging.ts";
import { listOf } from "./places.ts";
import type { Protocol, RoleOf, Untried } from "./protocol.ts";
import { continues, initialOf, isAdvancing } from "./reading-on.ts";
import { roleOf, roleTold } from "./roles.ts";
import { stateSources } from "./state-sources.ts";

/**
 * Derives how an intake reads its service: which parameter is a page, a cursor, a bound, and what the answers look like.
 *
 * @param options.form the customer's choices, by field
 * @param options.meanings what parameters are, by their names, where an author says it
 */
export function protocolOf(
  app: App,
  workflow: AppWorkflow,
  intake: AppIntake,
  {
    form,
    meanings,
  }: {
    readonly form: ReadonlyMap<string, Json>;
    readonly meanings: Readonly<Record<string, ParameterMeaning>>;
  },
): Protocol | Untried {
  const walk = new CommandWalk(app, form);
  const outputs = lifecycleOf(walk, intake, form);
  const output = outputs.get("request")!;
  const results = walk.navigator.member(output, "results");
  const record = walk.navigator.item(results);
  const sourced = walk.walk(workflow.source, record);
  if (workflow.target !== undefined) walk.walk(workflow.target, mapped(sourced));
  const found = listOf(results);
  if (found === undefined) return { reason: "no list of an answer is found in `results`" };
  const exchange = walk.exchanges[found.exchange]!;
  const list = found.path;
  const states = stateSources(walk, outputs);
  const roles: RoleOf[] = [];
  for (const parameter of exchange.parameters) {
    const told = meanings[parameter.path.join(".")];
    const role =
      told === undefined
        ? roleOf(parameter, states, { ...found, walk })
        : roleTold(told, parameter, { ...found, walk });
    if (role !== undefined) roles.push({ parameter, role });
  }
  if (exchange.url.some((part) => isPlaceOf(part, "state"))) {
    const key = exchange.url.find((part) => isPlaceOf(part, "state"));
    if (key !== undefined)
      roles.push({ parameter: { place: "query", path: ["cursor"] }, role: { kind: "cursor" } });
  }
  const indicators = indicatorsOf(walk, output, states, { ...found, roles });
  const answer = answerShape(walk.demands.of({ kind: "response", exchange: found.exchange }));
  const bounds = roles.filter(({ role }) => role.kind === "from" || role.kind === "filter");
  const advances = bounds.filter(({ parameter }) => isAdvancing(exchange, parameter, states));
  const isFullSync = bounds.length === 0 && !continues(roles, exchange, states);
  const [bound] = advances.length > 0 ? advances : bounds;
  const field = bound !== undefined && "field" in bound.role ? bound.role.field : undefined;
  return {
    intake,
    exchange,
    list,
    answer,
    roles,
    indicators,
    field,
    isImmutable: advances.length > 0 ? field?.isFixed === true : !isFullSync,
    order: orderOf(exchange, walk.demands.at({ kind: "response", exchange: found.exchange }, found.path)),
    size: sizeOf(roles, walk, output),
    initial: initialOf(exchange, roles, states),
    exchanges: walk.exchanges.map((each, index) => ({
      exchange: each,
      answer: answerShape(walk.demands.of({ kind: "response", exchange: index })),
    })),
  };
}

/** What the commands of a cycle give, in the order in which they run. */
function lifecycleOf(
  walk: CommandWalk,
  intake: AppIntake,
  form: ReadonlyMap<string, Json>,
): ReadonlyMap<string, Value> {
  const roots: Value = {
    kind: "object",
    members: new Map<string, Value>([
      ["polling_state", { kind: "place", root: { kind: "state" }, path: [] }],
      ["data", { kind: "place", root: { kind: "data" }, path: [] }],
      ["custom_data", literal(Object.fromEntries(form) as Json)],
    ]),
  };
  const outputs = new Map<string, Value>();
  for (const member of ["initial_setup", "pre_poll", "request", "post_poll"]) {
    const command = intake.commands[member];
    if (command !== undefined || member === "request") outputs.set(member, walk.walk(command, roots));
  }
  return outputs;
}

/** What the pipeline's target is given: each value stays what it is, under another name. */
function mapped(source: Value): Value {
  return { kind: "object", members: new Map(), base: { kind: "made", by: "other", of: [source] } };
}
