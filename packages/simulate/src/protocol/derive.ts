import type { App, AppIntake, AppWorkflow, ParameterMeaning } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { type KnownValue, knownAt } from "../known/known-api.ts";
import { cursorNames, hasWord, offsetNames, pageNames, sizeNames } from "../service/names.ts";
import { CommandWalk, type RequestTemplate } from "../symbolic/command.ts";
import type { Parameter } from "../symbolic/url.ts";
import { atomsOf, isPlaceOf, literal, type Path, type Value } from "../symbolic/value.ts";
import { acknowledgingOf } from "./acknowledging.ts";
import { documentedSize, onePage } from "./documented-size.ts";
import { done } from "./done.ts";
import { headsOf } from "./heads.ts";
import { indicatorsOf } from "./indicators.ts";
import { orderOf, sizeOf } from "./paging.ts";
import { cleaned, countedIn, type Found, isBelow, listsOf, nameOf } from "./places.ts";
import type { Field, Head, Indicator, Protocol, Role, RoleOf, Untried } from "./protocol.ts";
import { type Reading, readingOf } from "./reading.ts";
import { continues, initialOf, isAdvancing } from "./reading-on.ts";
import { keysOf } from "./roles.ts";
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
  walkPipeline(walk, workflow, results);
  const read = listsOf(results, countedIn(output), ({ exchange: index, path }) =>
    walk.demands.at({ kind: "response", exchange: index }, [...path, "[]"]).uses.has("indexed"),
  );
  if (read === undefined) return { reason: "no list of an answer is found in `results`" };
  const states = stateSources(walk, outputs);
  demandOfSources(walk, states);
  const reading = readingOf(walk, output, read, states, meanings);
  const { found, exchange, links, roles, all, parameters, context } = reading;
  const heads = headsOf(parameters, all, states, context);
  const indicators = indicatorsOf(walk, output, states, { ...found, roles, parameters, links }).filter(
    // The service's clock says nothing of the paging.
    ({ path, says }) => says !== "more" || !heads.some((head) => isHeadOf(head, exchange, path)),
  );
  const progress = progressOf(reading, indicators, states);
  const { field } = progress;
  const known = walk.knownOf(found.exchange);
  const answer = walk.answerOf(found.exchange);
  const keys = keysOf(parameters, states, context);
  const acknowledging =
    progress.bounds.length === 0 && !progress.isFeed
      ? acknowledgingOf(walk, states, { ...found, ofIntake })
      : [];
  const order = orderShown(
    orderOf(parameters, walk.demands.at({ kind: "response", exchange: found.exchange }, found.path)),
    field,
    knownAt(known?.answer, found.path),
  );
  const size = documentedSize(sizeOf(all, parameters, walk, output), all, known);
  const readsOne = indicators.length === 0 && !size.isFixed && !readsList(walk, output, found);
  const isOnePage = readsOne && size.most !== undefined && !goesOn(reading);
  return {
    intake,
    exchange,
    list: found.path,
    // Lists beside it are those whose records are of its kind.
    others: found.others.filter((path) => !isBelow(path, found.path) && !isBelow(found.path, path)),
    answer,
    roles,
    indicators,
    opening: reading.opening,
    inner: reading.inner,
    heads,
    field,
    isSequence: isSequence(reading, progress, walk.navigator.member(output, "iterate")),
    acknowledging,
    keys,
    isLinked: links.length > 0,
    isKeyset: isKeyset(reading, progress, states),
    isWhole: readsOne && !isOnePage && !asksForPages(reading),
    isImmutable: isImmutable(progress, order),
    order,
    known: known && {
      source: known.source,
      isFrozen: known.isFrozen,
      isExact: isExact(known.answer, found.path, field),
    },
    size: isOnePage ? onePage(size, all) : size,
    initial: initialOf(parameters, all, states),
    exchanges: exchangesOf(walk, ofIntake, found),
  };
}

function isHeadOf(head: Head, exchange: RequestTemplate, path: Path): boolean {
  return head.exchange === exchange && head.path.join("\0") === path.join("\0");
}

/** Notes what the pipeline demands of a record. */
function walkPipeline(walk: CommandWalk, { source, target }: AppWorkflow, results: Value): void {
  const record = walk.navigator.item(results);
  const sourced = walk.walk(source, record);
  if (target !== undefined) walk.walk(target, mapped(sourced));
}

/** How a list is read on from cycle to cycle. */
interface Progress {
  /** What leaves out records. */
  readonly bounds: readonly RoleOf[];
  /** Those of them that go on from cycle to cycle. */
  readonly advances: readonly RoleOf[];
  readonly field: Field | undefined;
  /** Each cycle gets what has changed, by a place that the service gave. */
  readonly isFeed: boolean;
  /** Each cycle gets all records. */
  readonly isFullSync: boolean;
}

function progressOf(
  { roles, all, parameters, exchange }: Reading,
  indicators: readonly Indicator[],
  states: StateSources,
): Progress {
  const bounds = all.filter(({ role }) => role.kind === "from" || role.kind === "filter");
  const advances = bounds.filter(({ parameter }) => isAdvancing({ parameters }, parameter, states));
  const isFeed = indicators.some(({ says }) => says === "position" || says === "sync-token");
  const isFullSync = bounds.length === 0 && !isFeed && !continues(roles, exchange, states);
  const [bound] = advances.length > 0 ? advances : bounds;
  const field = bound !== undefined && "field" in bound.role ? bound.role.field : undefined;
  return { bounds, advances, field, isFeed, isFullSync };
}

/** Whether a time and an id together are a place in the list. */
function isKeyset(
  { roles, parameters, context }: Reading,
  { bounds }: Progress,
  states: StateSources,
): boolean {
  const hasKeys = ({ parameter }: RoleOf): boolean => {
    const named = parameters.filter((each) => nameOf(each) === nameOf(parameter));
    return keysOf(named, states, context).length > 0;
  };
  return roles.some(({ role }) => role.kind === "after") && bounds.some(hasKeys);
}

/** Whether pages of one cycle are asked for by the numbers of records that were read. */
function isSequence({ roles }: Reading, { advances, field }: Progress, iterate: Value): boolean {
  const isOnce = iterate.kind === "literal" && iterate.value !== true;
  return (
    advances.length > 0 &&
    field?.isTime === false &&
    !isOnce &&
    !roles.some(
      ({ role: { kind } }) => kind === "page" || kind === "offset" || kind === "cursor" || kind === "after",
    )
  );
}

function isImmutable({ advances, field, isFeed, isFullSync }: Progress, { by }: Protocol["order"]): boolean {
  if (advances.length > 0) return field?.isFixed === true;
  return !isFullSync && (!isFeed || by === "creation");
}

/** All exchanges of the cycle and of the pipeline. */
function exchangesOf(walk: CommandWalk, ofIntake: number, list: Found): Protocol["exchanges"] {
  return walk.exchanges.map((exchange, index) => {
    const answer = walk.answerOf(index);
    // A job that the intake waits for gets done.
    return { exchange, answer: index < ofIntake && index !== list.exchange ? done(answer) : answer };
  });
}

function asksForPages(reading: Reading): boolean {
  return (
    goesOn(reading) ||
    reading.roles.some(({ role }) => role.kind === "size") ||
    reading.exchange.parameters.some((each) => isNamed(each, reading.roles, [sizeNames]))
  );
}

/** Whether a request asks for a place in the list. */
function goesOn({ roles, exchange }: Reading): boolean {
  return (
    roles.some(({ role }) => isPlace(role)) ||
    exchange.parameters.some((each) => isNamed(each, roles, [pageNames, offsetNames, cursorNames]))
  );
}

function isPlace({ kind }: Role): boolean {
  return kind === "page" || kind === "offset" || kind === "cursor" || kind === "after";
}

/** Whether a parameter without a meaning is called as some that have one are. */
function isNamed(
  parameter: Parameter,
  roles: readonly RoleOf[],
  sets: readonly ReadonlySet<string>[],
): boolean {
  const name = nameOf(parameter);
  return !roles.some((each) => nameOf(each.parameter) === name) && sets.some((names) => hasWord(name, names));
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
