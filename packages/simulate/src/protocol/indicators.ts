import { type KnownValue, knownAt } from "../known/known-api.ts";
import { saidIn } from "../known/known-meaning.ts";
import {
  countNames,
  cursorNames,
  hasWord,
  lastNames,
  offsetNames,
  pageNames,
  pagesNames,
  sizeNames,
  wordsOf,
} from "../service/names.ts";
import type { CommandWalk } from "../symbolic/command.ts";
import type { Demand } from "../symbolic/demands.ts";
import type { Parameter } from "../symbolic/url.ts";
import { type Atom, atomsOf, isPlaceOf, type Path, type Value } from "../symbolic/value.ts";
import { amongOf } from "./links.ts";
import { cleaned, type Found, isBelow, nameOf, plainAtoms } from "./places.ts";
import type { Indicator, Role, RoleOf } from "./protocol.ts";
import { closure, type StateSources, stateKeys } from "./state-sources.ts";

interface Context extends Found {
  readonly roles: readonly RoleOf[];
  /** Of the polling request, those of links too. */
  readonly parameters: readonly Parameter[];
  /** Keys of the state that hold the address of the next page. */
  readonly links: readonly string[];
}

/** Members of the answer beside the list, and what they say about the paging. */
export function indicatorsOf(
  walk: CommandWalk,
  output: Value,
  states: StateSources,
  context: Context,
): readonly Indicator[] {
  const iterate = walk.navigator.member(output, "iterate");
  const all = new Map<string, Indicator>();
  const values = [iterate, ...[...states.values()].flat().map(({ value }) => value)];
  const ending = new Set(placesOf(iterate, context).map((path) => path.join("\0")));
  const deciding = flagsIn(walk.demands.of({ kind: "response", exchange: context.exchange }), context.path);
  for (const path of [...values.flatMap((value) => placesOf(value, context)), ...deciding]) {
    const key = path.join("\0");
    if (all.has(key)) continue;
    const demand = demandAt(walk, context, path);
    if (demand.uses.has("exceptional") && !isFlagName(path.at(-1) ?? "")) continue;
    const cursor = context.roles.find(({ role }) => role.kind === "cursor");
    const goes = goesTo(path, states, context);
    const isCut = demand.uses.has("text") && goes === undefined && isLink(path);
    const isPages = isPagesOf(path, walk, context);
    all.set(key, {
      path,
      ...(cursor !== undefined && isCut ? { within: cursor.parameter.path.join(".") } : {}),
      ...(isPages ? { isSure: true } : {}),
      says: describedAs(
        isCut ? "token" : saidBy(path, demand.uses, goes, context.roles, isPages),
        knownAt(walk.knownOf(context.exchange)?.answer, path),
      ),
      atEnd: demand.uses.has("presence") ? "absent" : isBlank(demand.uses) ? "blank" : "null",
    });
  }
  const linked = new Map(
    values.flatMap((value) => linksIn(value, walk, context)).map((each) => [each.path.join("\0"), each]),
  );
  return [...settledTokens([...all.values()], ending, walk, states, context), ...linked.values()];
}

/** Addresses of the next page that are one of several links, which a member tells apart. */
function linksIn(value: Value, walk: CommandWalk, context: Context): readonly Indicator[] {
  const { exchange, path: list, roles } = context;
  return atomsOf(value).flatMap((atom): Indicator[] => {
    if (!isPlaceOf(atom, "response") || atom.root.exchange !== exchange) return [];
    const path = cleaned(atom.path);
    const among = isBelow(path, list)
      ? undefined
      : amongOf(walk.demands.of({ kind: "response", exchange }), path);
    if (among === undefined) return [];
    const cursor = roles.find(({ role }) => role.kind === "cursor");
    const isCut = cursor !== undefined && demandAt(walk, context, path).uses.has("text");
    return [
      {
        path,
        among,
        ...(isCut ? { within: cursor.parameter.path.join(".") } : {}),
        says: "token",
        atEnd: "absent",
      },
    ];
  });
}

function isLink(path: Path): boolean {
  return path.flatMap(wordsOf).some((word) => linkNames.has(word));
}

const linkNames: ReadonlySet<string> = new Set(["link", "links", "url", "href", "uri"]);

/** Members beside the list by whose presence programs decide, and which are called as those that say whether there is more. */
function flagsIn(demand: Demand, list: Path, path: Path = []): readonly Path[] {
  if (path.length > 0 && path.join("\0") === list.join("\0")) return [];
  const name = path.at(-1) ?? "";
  const isFlag = demand.members.size === 0 && demand.uses.has("condition") && isFlagName(name);
  const below = [...demand.members].flatMap(([key, member]) => flagsIn(member, list, [...path, key]));
  return isFlag ? [cleaned(path), ...below] : below;
}

function isFlagName(name: string): boolean {
  return hasWord(name, cursorNames) || hasWord(name, lastNames) || wordsOf(name).includes("more");
}

/** What a member says by the document's description and type; where it goes on is known by where it goes. */
function describedAs(says: Indicator["says"], known: KnownValue | undefined): Indicator["says"] {
  if (known === undefined || !readable.has(says)) return says;
  const [kind, ...others] = known.kinds.filter((each) => each !== "null");
  const told = saidIn(known.text);
  const isFlag = (each: Indicator["says"]): boolean => each === "more" || each === "last";
  if (others.length > 0 || (kind !== "boolean" && kind !== "number")) return told ?? says;
  const fits = (each: Indicator["says"]): boolean => isFlag(each) === (kind === "boolean");
  if (told !== undefined && fits(told)) return told;
  return fits(says) ? says : kind === "boolean" ? "more" : "count";
}

/** What a member may be taken for that is no place to go on from. */
const readable: ReadonlySet<Indicator["says"]> = new Set([
  "more",
  "last",
  "pages",
  "count",
  "page",
  "offset",
  "size",
]);

/** The members of the answer, outside of its list, of which a value is made. */
function placesOf(value: Value, { exchange, path: list }: Found): readonly Path[] {
  return atomsOf(value).flatMap((atom) => {
    if (!isPlaceOf(atom, "response") || atom.root.exchange !== exchange) return [];
    const path = cleaned(atom.path);
    return path.length === 0 || path.includes("[]") || isBelow(path, list) || path.join() === list.join()
      ? []
      : [path];
  });
}

function demandAt(walk: CommandWalk, { exchange }: Found, path: Path): Demand {
  return walk.demands.at({ kind: "response", exchange }, path);
}

/** Whether a number is compared with that of the page as it is: `.meta.page.total > $page`. */
function isPagesOf(path: Path, { demands }: CommandWalk, context: Context): boolean {
  const page = context.roles.find(({ role }) => role.kind === "page");
  const value = context.parameters.find(
    (each) => page !== undefined && nameOf(each) === nameOf(page.parameter),
  )?.value;
  const keys = value === undefined ? [] : stateKeys(value);
  // The next one too: `$page + 1`.
  const isPage = (each: Value): boolean =>
    each.kind === "made" && each.by === "sum"
      ? each.of.some(isPage) && each.of.every((part) => part.kind === "literal" || isPage(part))
      : isPlaceOf(each, "state") && each.path.length === 1 && keys.includes(each.path[0]!);
  const isNumber = (each: Value): boolean =>
    each.kind === "place" && isAnswerAt(each, context.exchange, path);
  return demands.pairs.some(
    ({ left, right, operator }) =>
      operator !== "==" &&
      operator !== "!=" &&
      ((isNumber(left) && isPage(right)) || (isPage(left) && isNumber(right))),
  );
}

function isBlank(uses: ReadonlySet<string>): boolean {
  return uses.has("blank") && !uses.has("nullable");
}

/** Whether a value is that member of the answer to a request. */
function isAnswerAt(atom: Atom, exchange: number, path: Path): boolean {
  return (
    isPlaceOf(atom, "response") &&
    atom.root.exchange === exchange &&
    cleaned(atom.path).join("\0") === path.join("\0")
  );
}

/** Which of the parameters a member of the answer is passed on to as it is. */
function goesTo(
  path: Path,
  states: StateSources,
  { roles, parameters, exchange, links }: Context,
): Role["kind"] | undefined {
  const isPassed = (keys: readonly string[]): boolean =>
    closure(keys, states).some(({ value }) =>
      plainAtoms(value).some((atom) => isAnswerAt(atom, exchange, path)),
    );
  if (isPassed(links)) return "cursor";
  for (const { role, parameter } of roles) {
    if (role.kind !== "cursor" && role.kind !== "page" && role.kind !== "offset") continue;
    const value = parameters.find((each) => nameOf(each) === parameter.path.join("."))?.value;
    if (value !== undefined && isPassed(stateKeys(value))) return role.kind;
  }
  return undefined;
}

function saidBy(
  path: Path,
  uses: ReadonlySet<string>,
  goes: Role["kind"] | undefined,
  roles: readonly RoleOf[],
  isPages: boolean,
): Indicator["says"] {
  const name = path.at(-1) ?? "";
  const words = wordsOf(name);
  const joined = words.join("");
  if (goes === "cursor") return "token";
  const countsPages = pagesNames.has(joined) || words.includes("pages") || joined === "lastpage";
  // Who reads from the last page to the first begins with how many there are.
  if (goes === "page") return countsPages && !words.includes("next") ? "pages" : "next-page";
  if (goes === "offset") return "next-offset";
  // A member that is called as a parameter says what was asked for.
  for (const { role, parameter } of roles)
    if (
      (role.kind === "page" || role.kind === "offset" || role.kind === "size") &&
      wordsOf(parameter.path.at(-1) ?? "").join("") === joined
    )
      return role.kind;
  if (countsPages || isPages) return "pages";
  if (pageNames.has(joined) || joined === "currentpage") return "page";
  if (uses.has("number") && offsetNames.has(joined)) return "offset";
  if (sizeNames.has(joined) && joined !== "count") return "size";
  const isNumber = uses.has("number") || uses.has("ordered");
  if (joined === "last" && isNumber) return "pages";
  const isEnd = lastNames.has(joined) || words[0] === "end" || (words[0] === "last" && words[1] === "page");
  if (isEnd && !isNumber) return "last";
  if (uses.has("number") || words.some((word) => countNames.has(word))) return "count";
  if (
    (uses.has("nullable") || uses.has("presence") || uses.has("blank")) &&
    !uses.has("condition") &&
    (hasWord(name, cursorNames) || words.includes("cursor") || words.includes("link"))
  )
    return "token";
  return "more";
}

/**
 * Tells tokens apart: a place to go on from until the end; one that comes at the end only, for what changes from then on; and one that
 * is always given, in a list that never ends.
 */
function settledTokens(
  indicators: readonly Indicator[],
  ending: ReadonlySet<string>,
  walk: CommandWalk,
  states: StateSources,
  context: Context,
): readonly Indicator[] {
  const isEnding = ({ path }: Indicator): boolean => ending.has(path.join("\0"));
  const tokens = indicators.filter(({ says }) => says === "token");
  const paging = tokens.filter(isEnding);
  return indicators.map((each): Indicator => {
    if (each.says !== "token" || isEnding(each)) return each;
    if (paging.length > 0) return { ...each, says: "sync-token" };
    const { uses } = demandAt(walk, context, each.path);
    const isTested = uses.has("nullable") || uses.has("presence") || uses.has("blank");
    const isPlace =
      !isPutBack(each.path, states, context) && (!isTested || isKept(each.path, states, context));
    return isPlace ? { ...each, says: "position" } : each;
  });
}

/** Whether the key of the state that holds a token is ever emptied. */
function isPutBack(path: Path, states: StateSources, context: Context): boolean {
  return holdersOf(path, states, context).some(({ values }) => values.some(isEmptied));
}

/** Whether the last token stays where none comes: `.next // ${polling_state.next}`. */
function isKept(path: Path, states: StateSources, context: Context): boolean {
  return holdersOf(path, states, context).some(({ key, values }) =>
    values.some((value) => value.kind === "choice" && stateKeys(value).includes(key)),
  );
}

/** Keys of the state that hold a token, with all that they are set to. */
function holdersOf(
  path: Path,
  states: StateSources,
  { exchange }: Context,
): readonly { readonly key: string; readonly values: readonly Value[] }[] {
  return [...states].flatMap(([key, sources]) => {
    const values = sources.filter(({ by }) => by !== "initial_setup").map(({ value }) => value);
    const holds = values.flatMap(plainAtoms).some((atom) => isAnswerAt(atom, exchange, path));
    return holds ? [{ key, values }] : [];
  });
}

function isEmptied(value: Value): boolean {
  if (value.kind === "choice") return value.of.some(isEmptied);
  if (value.kind === "literal") return value.value === null || value.value === "";
  // A branch that gives a literal, with its condition.
  return (
    value.kind === "made" && value.by === "other" && value.of[0]?.kind === "literal" && isEmptied(value.of[0])
  );
}
