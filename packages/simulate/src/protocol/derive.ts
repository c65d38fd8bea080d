import type { App, AppIntake, AppWorkflow, ParameterMeaning } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { type KnownValue, knownAt } from "../known/known-api.ts";
import { cursorNames, hasWord, offsetNames, pageNames, sizeNames } from "../service/names.ts";
import { CommandWalk, type RequestTemplate } from "../symbolic/command.ts";
import type { Parameter } from "../symbolic/url.ts";
import { atomsOf, isPlaceOf, literal, type Path, type Value } from "../symbolic/value.ts";
import { type Address, addressOf } from "./addresses.ts";
import { done } from "./done.ts";
import { headsOf } from "./heads.ts";
import { indicatorsOf } from "./indicators.ts";
import { orderOf, sizeOf } from "./paging.ts";
import { type Context, cleaned, countedIn, type Found, isBelow, listsOf, nameOf } from "./places.ts";
import type { Field, Inner, Opening, Protocol, Role, RoleOf, Untried } from "./protocol.ts";
import { continues, initialOf, isAdvancing } from "./reading-on.ts";
import { keysOf, roleDescribed, roleOf, roleTold } from "./roles.ts";
import { demandOfSources, type StateSources, stateSources } from "./state-sources.ts";

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
  const ofIntake = walk.exchanges.length;
  const output = outputs.get("request")!;
  const results = walk.navigator.member(output, "results");
  const record = walk.navigator.item(results);
  const sourced = walk.walk(workflow.source, record);
  if (workflow.target !== undefined) walk.walk(workflow.target, mapped(sourced));
  const read = listsOf(results, countedIn(output));
  if (read === undefined) return { reason: "no list of an answer is found in `results`" };
  const states = stateSources(walk, outputs);
  demandOfSources(walk, states);
  const address = addressOf(walk, read.exchange, states);
  const outer = outerList(address);
  const found = outer ?? read;
  const { exchange, links, opening } =
    outer === undefined ? address : addressOf(walk, outer.exchange, states);
  walk.exchanges[found.exchange] = exchange;
  const context: Context = { ...found, walk };
  const roles = rolesOf(exchange, states, context, meanings);
  if (links.length > 0)
    roles.push({ parameter: { place: "query", path: [CURSOR] }, role: { kind: "cursor" } });
  const opened: Opening | undefined = opening && {
    exchange: walk.exchanges[opening.exchange]!,
    roles: rolesOf(walk.exchanges[opening.exchange]!, states, { ...found, walk }, meanings),
    id: opening.id,
  };
  const inner = outer === undefined ? undefined : innerList(walk, output, states, read, meanings);
  const all = [...roles, ...(opened?.roles ?? [])];
  const parameters = [...exchange.parameters, ...(opened?.exchange.parameters ?? [])];
  const indicators = indicatorsOf(walk, output, states, { ...found, roles, parameters, links });
  const bounds = all.filter(({ role }) => role.kind === "from" || role.kind === "filter");
  const advances = bounds.filter(({ parameter }) => isAdvancing({ parameters }, parameter, states));
  const isFeed = indicators.some(({ says }) => says === "position" || says === "sync-token");
  const isFullSync = bounds.length === 0 && !isFeed && !continues(roles, exchange, states);
  const known = walk.knownOf(found.exchange);
  const [bound] = advances.length > 0 ? advances : bounds;
  const field = bound !== undefined && "field" in bound.role ? bound.role.field : undefined;
  const answer = walk.answerOf(found.exchange);
  const keys = keysOf(parameters, states, context);
  const order = orderShown(
    orderOf(exchange, walk.demands.at({ kind: "response", exchange: found.exchange }, found.path)),
    field,
    knownAt(known?.answer, found.path),
  );
  const size = sizeOf(all, parameters, walk, output);
  return {
    intake,
    exchange,
    list: found.path,
    // Lists beside it are those whose records are of its kind.
    others: found.others.filter((path) => !isBelow(path, found.path) && !isBelow(found.path, path)),
    answer,
    roles,
    indicators,
    opening: opened,
    inner,
    heads: headsOf(parameters, all, states, context),
    field,
    keys,
    isLinked: links.length > 0,
    isKeyset:
      roles.some(({ role }) => role.kind === "after") &&
      bounds.some(
        ({ parameter }) =>
          keysOf(
            parameters.filter((each) => nameOf(each) === nameOf(parameter)),
            states,
            context,
          ).length > 0,
      ),
    isWhole:
      indicators.length === 0 &&
      !size.isFixed &&
      !roles.some(({ role }) => isPaging(role)) &&
      !exchange.parameters.some((each) => isPagingName(each, roles)) &&
      !readsList(walk, output, found),
    isImmutable:
      advances.length > 0 ? field?.isFixed === true : !isFullSync && (!isFeed || order.by === "creation"),
    order,
    known:
      known === undefined
        ? undefined
        : {
            source: known.source,
            isFrozen: known.isFrozen,
            isExact: isExact(known.answer, found.path, field),
          },
    size,
    initial: initialOf(parameters, all, states),
    exchanges: walk.exchanges.map((each, index) => ({
      exchange: each,
      // A job that the intake waits for gets done.
      answer:
        index < ofIntake && index !== found.exchange ? done(walk.answerOf(index)) : walk.answerOf(index),
    })),
  };
}

/** The parameter that the addresses of later pages have. */
const CURSOR = "cursor";

function rolesOf(
  exchange: RequestTemplate,
  states: StateSources,
  context: Context,
  meanings: Readonly<Record<string, ParameterMeaning>>,
): RoleOf[] {
  const described = context.walk.knownOf(context.exchange)?.parameters ?? {};
  return exchange.parameters.flatMap((parameter) => {
    const name = nameOf(parameter);
    const told = meanings[name];
    const known = Object.hasOwn(described, name) ? described[name] : undefined;
    const derived = (): Role | undefined => {
      const role = roleOf(parameter, states, context);
      return known === undefined ? role : roleDescribed(role, known, parameter, states, context);
    };
    const role = told === undefined ? derived() : roleTold(told, parameter, context);
    return role === undefined ? [] : [{ parameter, role }];
  });
}

function isPaging({ kind }: Role): boolean {
  return kind === "page" || kind === "offset" || kind === "cursor" || kind === "after" || kind === "size";
}

/** Whether a parameter without a meaning is called as those of pages are. */
function isPagingName(parameter: Parameter, roles: readonly RoleOf[]): boolean {
  const name = nameOf(parameter);
  return (
    !roles.some((each) => nameOf(each.parameter) === name) &&
    [pageNames, offsetNames, cursorNames, sizeNames].some((names) => hasWord(name, names))
  );
}

/** Whether the list of an answer decides if there is more. */
function readsList(walk: CommandWalk, output: Value, { exchange, path }: Found): boolean {
  return atomsOf(walk.navigator.member(output, "iterate")).some(
    (atom) =>
      isPlaceOf(atom, "response") &&
      atom.root.exchange === exchange &&
      (isBelow(cleaned(atom.path), path) || cleaned(atom.path).join() === path.join()),
  );
}

/** The list whose records have lists of their own, where the app reads those one after the other: the meetings whose guests it takes. */
function outerList({ opening }: Address): (Found & { readonly others: readonly Path[] }) | undefined {
  const at = opening?.id.indexOf("[]") ?? -1;
  return opening === undefined || at < 0
    ? undefined
    : { exchange: opening.exchange, path: opening.id.slice(0, at), others: [] };
}

function innerList(
  walk: CommandWalk,
  output: Value,
  states: StateSources,
  read: Found,
  meanings: Readonly<Record<string, ParameterMeaning>>,
): Inner {
  const exchange = walk.exchanges[read.exchange]!;
  const { parameters } = exchange;
  const roles = rolesOf(exchange, states, { ...read, walk }, meanings);
  const indicators = indicatorsOf(walk, output, states, { ...read, roles, parameters, links: [] });
  return { exchange, list: read.path, indicators };
}

/** The order in which samples show the records, by the field by which the app reads on; unless it asks for one. */
function orderShown(
  order: Protocol["order"],
  field: Field | undefined,
  list: KnownValue | undefined,
): Protocol["order"] {
  const shown = list?.sorted[field?.path.join(".") ?? ""];
  return order.isStated || shown === undefined ? order : { ...order, direction: shown, isStated: true };
}

/** Whether samples show times with parts of seconds. */
function isExact(answer: KnownValue | undefined, list: Path, field: Field | undefined): boolean {
  const examples = knownAt(knownAt(answer, list)?.item, field?.path ?? [])?.examples ?? [];
  return examples.some((time) =>
    typeof time === "number" ? time > 1e11 && time % 1_000 !== 0 : /:\d\d\.\d*[1-9]/.test(String(time)),
  );
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
