import type { ParameterMeaning } from "@configc/compiler";
import { type KnownParameter, knownAt } from "../known/known-api.ts";
import { boundOf, meaningOf } from "../known/known-meaning.ts";
import { isTimeName } from "../service/leaf.ts";
import {
  asOfNames,
  countNames,
  cursorNames,
  exclusiveNames,
  hasWord,
  inclusiveNames,
  offsetNames,
  pageNames,
  sizeNames,
  wordsOf,
} from "../service/names.ts";
import type { Parameter } from "../symbolic/url.ts";
import { type Atom, atomsOf, isPlaceOf, type Path, type Value } from "../symbolic/value.ts";
import { atomsIncludeTime, fieldAt, fieldBeside, isFieldAtom, isId, isTimeText, isUntil } from "./fields.ts";
import { type Context, cleaned, type Found, isBelow, nameOf, valueAtoms } from "./places.ts";
import type { Field, Role } from "./protocol.ts";
import { flow, type StateSource, type StateSources, stateKeys } from "./state-sources.ts";

export function roleOf(parameter: Parameter, states: StateSources, found: Context): Role | undefined {
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
  const sources = flow(keys, states);
  const own = sources.filter(({ value: each }) => each.kind !== "literal");
  const atoms = [...own.flatMap(({ value: each }) => valueAtoms(each)), ...(clock ? valueAtoms(value) : [])];
  const responses = atoms.filter((atom) => isPlaceOf(atom, "response"));
  const inItems = responses.filter((atom) => isInItem(atom, found));
  const outside = responses.filter((atom) => !isInItem(atom, found) && !isIndicatorOnly(atom));
  const counted = counts(
    own.map(({ value: each }) => each),
    keys,
  );
  const isClock = clock || atoms.some((atom) => isPlaceOf(atom, "clock"));
  if (counted !== undefined && !atomsIncludeTime(inItems, found) && !isClock) {
    // `page[offset]` is an offset, and `page` may be counted up by more than one.
    const isOffset = hasWord(name, offsetNames);
    return !isOffset && (counted === "one" || hasWord(name, pageNames))
      ? { kind: "page", start: startOf(sources, 1) }
      : { kind: "offset", start: startOf(sources, 0) };
  }
  const timed = inItems.find((atom) => isFieldAtom(atom, found));
  const literals = sources
    .flatMap(({ value: each }) => atomsOf(each))
    .filter((atom) => atom.kind === "literal");
  const looksTimed =
    literals.some(({ value: constant }) => isTimeText(constant)) ||
    keys.some((key) => isReadAsTime(key, found)) ||
    own.some(({ value: each }) => isMadeTime(each));
  const isTime = timed !== undefined || isClock || looksTimed;
  if (isTime && (asOfNames.has(wordsOf(name).join("")) || hasWord(name, asOfNames))) return { kind: "as-of" };
  if (isTime || (inItems.length > 0 && !isId(inItems[0]!))) {
    const atom = timed ?? inItems[0];
    const field =
      atom === undefined
        ? fieldBeside(parameter, found)
        : fieldAt(cleaned(atom.path).slice(found.path.length + 1), timed !== undefined);
    const text = filterText([value, ...sources.map(({ value: each }) => each)]);
    if (text !== undefined)
      return { kind: "filter", field: timed === undefined ? (fieldInText(text) ?? field) : field };
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
  if (inItems.length > 0) {
    const isInclusive = !hasWord(name, behindNames) && own.some((each) => isNextId(each.value));
    return { kind: "after", ...(isInclusive ? { isInclusive } : {}) };
  }
  if (outside.length > 0) {
    if (hasWord(name, offsetNames) && !hasWord(name, cursorNames) && counted !== undefined)
      return { kind: "offset", start: startOf(sources, 0) };
    const isNumber = literals.some(({ value: each }) => typeof each === "number");
    if (isNumber && hasWord(name, pageNames) && !hasWord(name, cursorNames))
      return { kind: "page", start: startOf(sources, 1) };
    return isNumber && hasWord(name, offsetNames) && !hasWord(name, cursorNames)
      ? { kind: "offset", start: startOf(sources, 0) }
      : { kind: "cursor" };
  }
  return undefined;
}

/** By these a parameter leaves out the record that it names: `since_id`. */
const behindNames: ReadonlySet<string> = new Set(["after", "since", "behind", ...exclusiveNames]);

/** `.[-1].id + 1`: what asks for that id would get the last record again by the id itself. */
function isNextId(value: Value): boolean {
  if (value.kind === "choice") return value.of.some(isNextId);
  if (value.kind !== "made" || value.by !== "sum") return false;
  return (
    value.of.some((each) => each.kind === "literal" && each.value === 1) &&
    value.of.flatMap(atomsOf).some((atom) => isPlaceOf(atom, "response") && isId(atom))
  );
}

/** `.now[:19] + "Z" | fromdate - 86400 | todate` */
function isMadeTime(value: Value): boolean {
  if (value.kind === "choice") return value.of.some(isMadeTime);
  return value.kind === "made" && value.by === "time";
}

function isReadAsTime(key: string, { walk }: Context): boolean {
  const { uses, formats } = walk.demands.at({ kind: "state" }, [key]);
  return uses.has("time") || formats.size > 0;
}

/** A parameter's role, where a document describes the parameter: it knows better what stands for a place in the list than a name does. */
export function roleDescribed(
  role: Role | undefined,
  known: KnownParameter,
  parameter: Parameter,
  states: StateSources,
  found: Context,
): Role | undefined {
  const isInclusive = boundOf(known);
  if (role?.kind === "from" || role?.kind === "to")
    return role.isInclusive !== undefined || isInclusive === undefined ? role : { ...role, isInclusive };
  const { value } = parameter;
  const meaning = meaningOf(known);
  const isMoving = stateKeys(value).length > 0 || atomsOf(value).some((atom) => isPlaceOf(atom, "clock"));
  const isPlace = role === undefined || placing.has(role.kind);
  if (!isMoving || !isPlace || meaning === undefined || meaning === role?.kind) return role;
  const sources = flow(stateKeys(value), states);
  // What is called a cursor may be the id of the last record: where it comes from tells.
  if (role?.kind === "after" && meaning === "cursor" && sources.some((each) => hasOwnId(each, found)))
    return role;
  switch (meaning) {
    case "page":
      return { kind: "page", start: startOf(sources, 1) };
    case "offset":
      return { kind: "offset", start: startOf(sources, 0) };
    case "from":
    case "to":
      return {
        kind: meaning,
        field: fieldNamedIn(known.text, found) ?? fieldBeside(parameter, found),
        ...(isInclusive === undefined ? {} : { isInclusive }),
      };
    default:
      return roleTold(meaning, parameter, found);
  }
}

function hasOwnId({ value }: StateSource, found: Context): boolean {
  return valueAtoms(value).some(
    (atom) => isPlaceOf(atom, "response") && isBelow(cleaned(atom.path), found.path) && isId(atom),
  );
}

const placing: ReadonlySet<Role["kind"]> = new Set(["page", "offset", "cursor", "after"]);

/** A time of the records that a text names. */
function fieldNamedIn(text: string, { walk, exchange, path }: Context): Field | undefined {
  const members = Object.keys(knownAt(walk.knownOf(exchange)?.answer, path)?.item?.members ?? {});
  const words = new Set(text.match(/\w+/g));
  const named = members.find((name) => words.has(name) && isTimeName(name));
  return named === undefined ? undefined : fieldAt([named], true);
}

/** The role that an author gives a parameter. */
export function roleTold(meaning: ParameterMeaning, parameter: Parameter, found: Context): Role | undefined {
  const { value } = parameter;
  switch (meaning) {
    case "none":
      return undefined;
    case "page":
      return { kind: "page", start: 1 };
    case "offset":
      return { kind: "offset", start: 0 };
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

/** Members of a record that go into parameters: where an app reads on. */
export function keysOf(
  parameters: readonly Parameter[],
  states: StateSources,
  { exchange, path: list }: Found,
): readonly Path[] {
  const found = new Map<string, Path>();
  for (const { value } of parameters)
    for (const { value: each } of flow(stateKeys(value), states))
      for (const atom of valueAtoms(each)) {
        if (!isPlaceOf(atom, "response") || atom.root.exchange !== exchange) continue;
        const path = cleaned(atom.path);
        const below = path.slice(list.length + 1);
        if (isBelow(path, list) && below.length > 0) found.set(below.join("\0"), below);
      }
  return [...found.values()];
}

/** Where the list is the whole answer, a member of another answer isn't in it. */
function isInItem({ path }: Extract<Atom, { kind: "place" }>, { path: list }: Found): boolean {
  const at = cleaned(path);
  return isBelow(at, list) && (list.length > 0 || at[0] === "[]");
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

function startOf(sources: readonly StateSource[], usual: number): number {
  for (const { value } of sources)
    for (const atom of atomsOf(value))
      if (atom.kind === "literal" && (atom.value === 0 || atom.value === 1)) return atom.value;
  return usual;
}

/** A text in a language of filters, where a value is one: what is written of it. */
function filterText(values: readonly Value[]): string | undefined {
  for (const value of values.flatMap((each) => (each.kind === "choice" ? each.of : [each]))) {
    const parts = value.kind === "made" && value.by === "text" ? value.of : [value];
    const text = parts
      .map((part) => (part.kind === "literal" && typeof part.value === "string" ? part.value : " "))
      .join("");
    if (operator.test(text)) return text;
  }
  return undefined;
}

/** Operators as languages of filters have them, behind the name of a field or before it. */
const operator = /[<>]=?|\b(?:gte?|lte?|ge|le|after|since|before|until)\b|NOT\(|IS_AFTER|IS_BEFORE/;

/** The field in a text such as `updated_at:>='…'`. */
function fieldInText(text: string): Field | undefined {
  const [, name] = /([A-Za-z_][\w.]*)"?\s*:?\s*(?:[<>]|\b(?:gte?|ge)\b)/.exec(text) ?? [];
  return name === undefined ? undefined : fieldAt(name.split("."), true);
}
