import type { App, AppIntake, AppWorkflow } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { formatOf } from "../service/leaf.ts";
import {
  changeNames,
  countNames,
  creationNames,
  cursorNames,
  directionNames,
  exclusiveNames,
  hasWord,
  idNames,
  inclusiveNames,
  lastNames,
  offsetNames,
  orderNames,
  pageNames,
  pagesNames,
  sizeNames,
  timeNames,
  untilNames,
  wordsOf,
} from "../service/names.ts";
import { answerShape } from "../service/shape.ts";
import { CommandWalk, type Exchange, type Parameter } from "../symbolic/command.ts";
import type { Demand } from "../symbolic/demands.ts";
import { type Atom, atomsOf, choice, isPlaceOf, literal, type Path, type Value } from "../symbolic/value.ts";
import type { ParameterMeaning } from "../world/world-file.ts";
import type { Field, Indicator, Protocol, Role, RoleOf, Untried } from "./protocol.ts";

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

interface Found {
  readonly exchange: number;
  readonly path: Path;
}

/** The list of an answer that results are made of. */
function listOf(results: Value): Found | undefined {
  const item: Value = results.kind === "list" ? results.item : results;
  for (const atom of atomsOf(item)) {
    if (!isPlaceOf(atom, "response")) continue;
    const at = results.kind === "list" ? atom.path.indexOf("[]") : atom.path.length;
    // The programs look at records: `[]` may stand in their paths further down.
    if (at >= 0) return { exchange: atom.root.exchange, path: cleaned(atom.path.slice(0, at)) };
  }
  return undefined;
}

/** `.body` is the answer itself (D20). */
export function cleaned(path: Path): Path {
  return path[0] === "body" ? path.slice(1) : path;
}

/** By key of the state: what is written into it, by which command. */
type StateSources = ReadonlyMap<string, readonly { readonly by: string; readonly value: Value }[]>;

function stateSources(walk: CommandWalk, outputs: ReadonlyMap<string, Value>): StateSources {
  const keys = new Set(walk.demands.of({ kind: "state" }).members.keys());
  const sources = new Map<string, { by: string; value: Value }[]>();
  for (const [by, output] of outputs) {
    const state = walk.navigator.member(output, "polling_state");
    collectKeys(state, keys);
    for (const key of keys) {
      const value = walk.navigator.member(state, key);
      const list = sources.get(key) ?? [];
      list.push({ by, value });
      sources.set(key, list);
    }
  }
  return sources;
}

function collectKeys(state: Value, keys: Set<string>): void {
  if (state.kind === "object") {
    for (const key of state.members.keys()) keys.add(key);
    if (state.base !== undefined) collectKeys(state.base, keys);
  }
  if (state.kind === "choice") for (const each of state.of) collectKeys(each, keys);
  if (state.kind === "literal" && typeof state.value === "object" && state.value !== null)
    for (const key of Object.keys(state.value)) keys.add(key);
}

/** All that a key of the state may be made of, over other keys too. */
function closure(
  keys: readonly string[],
  states: StateSources,
): readonly { readonly by: string; readonly value: Value }[] {
  const seen = new Set<string>();
  const pending = [...keys];
  const all: { by: string; value: Value }[] = [];
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    for (const source of states.get(key) ?? []) {
      all.push(source);
      pending.push(...stateKeys(source.value));
    }
  }
  return all;
}

function stateKeys(value: Value): string[] {
  return atomsOf(value).flatMap((atom) =>
    isPlaceOf(atom, "state") && atom.path[0] !== undefined ? [atom.path[0]] : [],
  );
}

function nameOf({ path }: Pick<Parameter, "path">): string {
  return path.join(".");
}

interface Context extends Found {
  readonly walk: CommandWalk;
}

function roleOf(parameter: Parameter, states: StateSources, found: Context): Role | undefined {
  const { value } = parameter;
  const name = nameOf(parameter);
  if (value.kind === "literal") {
    const { value: constant } = value;
    const number = Number(constant);
    const isSize =
      wordsOf(name).some((word) => sizeNames.has(word)) || /per_?page|page_?size|max_?results/i.test(name);
    return isSize && number > 0 ? { kind: "size", size: number } : undefined;
  }
  const keys = stateKeys(value);
  const clock = atomsOf(value).some((atom) => isPlaceOf(atom, "clock"));
  if (keys.length === 0 && !clock) return undefined;
  const sources = closure(keys, states);
  const own = sources.filter(({ value: each }) => each.kind !== "literal");
  const atoms = [...own.flatMap(({ value: each }) => valueAtoms(each)), ...(clock ? valueAtoms(value) : [])];
  const responses = atoms.filter((atom) => isPlaceOf(atom, "response"));
  const inItems = responses.filter((atom) => isBelow(cleaned(atom.path), found.path));
  const outside = responses.filter(
    (atom) => !isBelow(cleaned(atom.path), found.path) && !isIndicatorOnly(atom),
  );
  const isText = (value.kind === "choice" ? value.of : [value]).some(
    (each) => each.kind === "made" && each.by === "text",
  );
  const counted = counts(
    own.map(({ value: each }) => each),
    keys,
  );
  if (counted !== undefined && !atomsIncludeTime(inItems, found) && !clock) {
    const isPage = counted === "one" && !hasWord(name, offsetNames);
    return isPage || hasWord(name, pageNames)
      ? { kind: "page", start: startOf(sources) }
      : { kind: "offset" };
  }
  const timed = inItems.find((atom) => isFieldAtom(atom, found));
  const isClock = clock || atoms.some((atom) => isPlaceOf(atom, "clock"));
  const literals = sources
    .flatMap(({ value: each }) => atomsOf(each))
    .filter((atom) => atom.kind === "literal");
  const looksTimed = literals.some(({ value: constant }) => isTimeText(constant));
  if (timed !== undefined || isClock || (inItems.length > 0 && !isId(inItems[0]!)) || looksTimed) {
    const atom = timed ?? inItems[0];
    const field =
      atom === undefined
        ? fieldBeside(parameter, found)
        : fieldAt(cleaned(atom.path).slice(found.path.length + 1), timed !== undefined);
    if (isText) return { kind: "filter", field };
    const isInclusive = hasWord(name, inclusiveNames)
      ? true
      : hasWord(name, exclusiveNames)
        ? false
        : undefined;
    return {
      kind: isUntil(name) ? "to" : "from",
      field,
      ...(isInclusive === undefined ? {} : { isInclusive }),
    };
  }
  if (inItems.length > 0) return { kind: "after" };
  if (outside.length > 0) {
    if (hasWord(name, offsetNames) && !hasWord(name, cursorNames) && counted !== undefined)
      return { kind: "offset" };
    return hasWord(name, pageNames) &&
      wordsOf(name).length === 1 &&
      literals.some(({ value: each }) => typeof each === "number")
      ? { kind: "page", start: startOf(sources) }
      : { kind: "cursor" };
  }
  return undefined;
}

/** The role that an author gives a parameter. */
function roleTold(meaning: ParameterMeaning, parameter: Parameter, found: Context): Role | undefined {
  const { value } = parameter;
  switch (meaning) {
    case "none":
      return undefined;
    case "page":
      return { kind: "page", start: 1 };
    case "from":
    case "to":
      return { kind: meaning, field: fieldBeside(parameter, found) };
    case "size":
      return {
        kind: "size",
        size: value.kind === "literal" && Number(value.value) > 0 ? Number(value.value) : 100,
      };
    default:
      return { kind: meaning };
  }
}

function isUntil(name: string): boolean {
  return hasWord(name, untilNames) && !hasWord(name, new Set(["start", "from", "since", "after"]));
}

function fieldAt(path: Path, isTime: boolean): Field {
  const name = path.at(-1) ?? "";
  const known =
    isTime || hasWord(name, timeNames) || hasWord(name, changeNames) || hasWord(name, creationNames);
  return {
    name,
    path,
    isTime: known,
    isFixed: !known || (hasWord(name, creationNames) && !hasWord(name, changeNames)),
  };
}

/** The field that a parameter names, itself or by a member beside it: `{"field": "createdAt", "parameters": {"gte": …}}`. */
function fieldBeside({ path, place }: Parameter, found: Context): Field {
  const { parameters } = found.walk.exchanges[found.exchange]!;
  for (let length = path.length - 1; length > 0; length--) {
    const beside = parameters.find(
      (each) =>
        each.place === place &&
        each.path.length === length + 1 &&
        each.path.slice(0, length).every((name, index) => path[index] === name) &&
        fieldNames.has(wordsOf(each.path.at(-1) ?? "").at(-1) ?? ""),
    );
    if (beside?.value.kind === "literal" && typeof beside.value.value === "string")
      return fieldAt([beside.value.value], true);
  }
  return fieldAt([stemOf(path.join("."))], true);
}

/** Members that name the field of a filter. */
const fieldNames: ReadonlySet<string> = new Set(["field", "property", "name", "attribute", "column", "key"]);

/** Atoms that are the value, not what decides it or is only counted. */
function valueAtoms(value: Value): readonly Atom[] {
  switch (value.kind) {
    case "choice":
      return value.of.flatMap(valueAtoms);
    case "made":
      return value.by === "length" || value.by === "boolean" ? [] : value.of.flatMap(valueAtoms);
    case "list":
      return valueAtoms(value.item);
    default:
      return atomsOf(value);
  }
}

function isIndicatorOnly(atom: Atom): boolean {
  return atom.kind === "place" && hasWord(atom.path.at(-1) ?? "", countNames);
}

/** Whether a key is counted up: by one, by a size or by the number of records. */
function counts(values: readonly Value[], keys: readonly string[]): "one" | "more" | undefined {
  let found: "one" | "more" | undefined;
  const visit = (value: Value): void => {
    switch (value.kind) {
      case "choice":
        for (const each of value.of) visit(each);
        break;
      case "made":
        if (
          (value.by === "sum" || value.by === "number") &&
          value.of.some((each) => stateKeys(each).some((key) => keys.includes(key)))
        ) {
          const one = value.of.some((each) => each.kind === "literal" && each.value === 1);
          found = one ? "one" : (found ?? "more");
        } else for (const each of value.of) visit(each);
        break;
      default:
        break;
    }
  };
  for (const value of values) visit(value);
  return found;
}

function startOf(sources: readonly { readonly by: string; readonly value: Value }[]): number {
  for (const { value } of sources)
    for (const atom of atomsOf(value))
      if (atom.kind === "literal" && (atom.value === 0 || atom.value === 1)) return atom.value;
  return 1;
}

function isBelow(path: Path, list: Path): boolean {
  return path.length > list.length && list.every((name, index) => path[index] === name);
}

function isFieldAtom(atom: Atom, { walk }: Context): boolean {
  if (!isPlaceOf(atom, "response")) return false;
  const name = atom.path.at(-1) ?? "";
  const { uses } = walk.demands.at(atom.root, atom.path);
  return uses.has("time") || hasWord(name, timeNames) || hasWord(name, changeNames);
}

function atomsIncludeTime(atoms: readonly Atom[], found: Context): boolean {
  return atoms.some((atom) => isFieldAtom(atom, found));
}

function isId(atom: Atom): boolean {
  return atom.kind === "place" && idNames.has(wordsOf(atom.path.at(-1) ?? "").at(-1) ?? "");
}

function isTimeText(value: Json): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value);
}

/** `created[gte]` → `created`, `updated_after` → `updated_at`. */
function stemOf(name: string): string {
  const words = wordsOf(name).filter(
    (word) =>
      !untilNames.has(word) &&
      !inclusiveNames.has(word) &&
      !exclusiveNames.has(word) &&
      !["after", "since", "from", "start", "min"].includes(word),
  );
  const stem = words.find((word) => changeNames.has(word) || creationNames.has(word));
  if (stem !== undefined)
    return words.length > 1
      ? words.join("_")
      : stem === "created" || stem === "updated" || stem === "modified"
        ? stem
        : `${stem}_at`;
  return "updated_at";
}

/** Whether the bound moves on from cycle to cycle. */
function isAdvancing(
  exchange: Exchange,
  { path, place }: RoleOf["parameter"],
  states: StateSources,
): boolean {
  const parameter = exchange.parameters.find(
    (each) => each.place === place && nameOf(each) === path.join("."),
  );
  if (parameter === undefined) return false;
  const sources = closure(stateKeys(parameter.value), states).filter(({ by }) => by !== "initial_setup");
  return sources.some(({ value }) =>
    atomsOf(value).some((atom) => isPlaceOf(atom, "response") || isPlaceOf(atom, "clock")),
  );
}

/** Whether a page, an offset or a cursor is never put back: the app only ever reads on. */
function continues(roles: readonly RoleOf[], exchange: Exchange, states: StateSources): boolean {
  return roles.some(({ role, parameter }) => {
    if (role.kind !== "offset" && role.kind !== "page" && role.kind !== "after" && role.kind !== "cursor")
      return false;
    const value = exchange.parameters.find((each) => nameOf(each) === parameter.path.join("."))?.value;
    const own =
      value === undefined ? [] : closure(stateKeys(value), states).filter(({ by }) => by !== "initial_setup");
    const resets = own.some(({ value: each }) =>
      valueAtoms(each).some(
        (atom) =>
          atom.kind === "literal" &&
          (atom.value === null ||
            atom.value === "" ||
            ((role.kind === "page" || role.kind === "offset") &&
              (atom.value === 0 || atom.value === 1) &&
              each.kind !== "made")),
      ),
    );
    return own.length > 0 && !resets && role.kind !== "cursor";
  });
}

function orderOf({ parameters }: Exchange, list: Demand): Protocol["order"] {
  const texts = parameters
    .filter(
      ({ path, value }) =>
        value.kind === "literal" &&
        path.some((name) => hasWord(name, orderNames) || hasWord(name, directionNames)),
    )
    .map(({ value }) => String(value.kind === "literal" ? value.value : ""));
  const isDescending = texts.some((text) => /(^|[^a-z])desc/i.test(text) || text.startsWith("-"));
  // Who reads the latest time off the first record supposes the newest first.
  const isSupposed = list.uses.has("first") && !list.uses.has("last");
  const isStated = texts.length > 0;
  return { direction: isDescending || (!isStated && isSupposed) ? "descending" : "ascending", isStated };
}

/** Sizes that a program compares lengths with, or counts on by, can't be another. */
function sizeOf(roles: readonly RoleOf[], walk: CommandWalk, output: Value): Protocol["size"] {
  const stated = roles.map(({ role }) => role).find((role) => role.kind === "size");
  const counted = numbersBesideLengths(
    choice([walk.navigator.member(output, "iterate"), walk.navigator.member(output, "polling_state")]),
  );
  const offset = roles.some(({ role }) => role.kind === "offset");
  if (stated !== undefined && stated.kind === "size")
    return { size: stated.size, isFixed: offset || counted.includes(stated.size) };
  const [size] = counted.filter((each) => each > 1);
  return { size: size ?? 2, isFixed: size !== undefined };
}

function numbersBesideLengths(value: Value): number[] {
  switch (value.kind) {
    case "made": {
      const isOfTimes = value.of.some(hasTime);
      return value.of.flatMap((each) => {
        if (each.kind !== "literal") return numbersBesideLengths(each);
        return typeof each.value === "number" && !isOfTimes ? [each.value] : [];
      });
    }
    case "choice":
      return value.of.flatMap(numbersBesideLengths);
    case "object":
      return [...value.members.values()].flatMap(numbersBesideLengths);
    default:
      return [];
  }
}

/** Seconds that are taken off a time are no size. */
function hasTime(value: Value): boolean {
  if (value.kind === "made") return value.by === "time" || value.of.some(hasTime);
  return isPlaceOf(value, "clock") || (value.kind === "choice" && value.of.some(hasTime));
}

function initialOf(exchange: Exchange, roles: readonly RoleOf[], states: StateSources): Json {
  const from = roles.find(({ role }) => role.kind === "from" || role.kind === "filter");
  const value = exchange.parameters.find(
    (each) => from !== undefined && nameOf(each) === from.parameter.path.join("."),
  )?.value;
  if (value === undefined) return null;
  for (const { value: each } of closure(stateKeys(value), states))
    for (const atom of atomsOf(each))
      if (atom.kind === "literal" && formatOf(atom.value) !== undefined) return atom.value;
  return null;
}

/** Members of the answer beside the list, and what they say. */
function indicatorsOf(
  walk: CommandWalk,
  output: Value,
  states: StateSources,
  found: Found & { readonly roles: readonly RoleOf[] },
): readonly Indicator[] {
  const root = { kind: "response", exchange: found.exchange } as const;
  const all = new Map<string, Indicator>();
  const tokens = new Set<string>();
  const cursors = found.roles.some(({ role }) => role.kind === "cursor");
  if (cursors)
    for (const sources of states.values())
      for (const { value } of sources)
        for (const atom of valueAtoms(value))
          if (
            isPlaceOf(atom, "response") &&
            atom.root.exchange === found.exchange &&
            !isBelow(cleaned(atom.path), found.path)
          )
            tokens.add(JSON.stringify(cleaned(atom.path)));
  const values = [
    walk.navigator.member(output, "iterate"),
    ...[...states.values()].flat().map(({ value }) => value),
  ];
  for (const atom of values.flatMap(atomsOf)) {
    if (!isPlaceOf(atom, "response") || atom.root.exchange !== found.exchange) continue;
    const path = cleaned(atom.path);
    if (path.length === 0 || isBelow(path, found.path) || path.join() === found.path.join()) continue;
    const key = JSON.stringify(path);
    if (!all.has(key))
      all.set(key, { path, says: saidBy(path, walk.demands.at(root, atom.path).uses, tokens.has(key)) });
  }
  return [...all.values()];
}

function saidBy(path: Path, uses: ReadonlySet<string>, isToken: boolean): Indicator["says"] {
  const name = path.at(-1) ?? "";
  const words = wordsOf(name);
  const joined = words.join("");
  if (isToken) return "token";
  if (pagesNames.has(joined) || words.includes("pages") || joined === "lastpage") return "pages";
  if (joined === "page" || joined === "currentpage" || joined === "pagenumber") return "page";
  if (sizeNames.has(joined) && joined !== "count") return "size";
  if (lastNames.has(joined) && !uses.has("number")) return "last";
  if (uses.has("number") || words.some((word) => countNames.has(word))) return "count";
  if (
    uses.has("nullable") &&
    !uses.has("condition") &&
    (hasWord(name, cursorNames) || words.includes("cursor") || words.includes("next"))
  )
    return "token";
  return "more";
}
