import {
  countNames,
  cursorNames,
  directionNames,
  hasWord,
  lastNames,
  orderNames,
  pagesNames,
  sizeNames,
  wordsOf,
} from "../service/names.ts";
import type { CommandWalk, Exchange } from "../symbolic/command.ts";
import type { Demand } from "../symbolic/demands.ts";
import { atomsOf, choice, isPlaceOf, type Path, type Value } from "../symbolic/value.ts";
import { cleaned, type Found, isBelow, valueAtoms } from "./places.ts";
import type { Indicator, Protocol, RoleOf } from "./protocol.ts";
import type { StateSources } from "./state-sources.ts";

export function orderOf({ parameters }: Exchange, list: Demand): Protocol["order"] {
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
export function sizeOf(roles: readonly RoleOf[], walk: CommandWalk, output: Value): Protocol["size"] {
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

/** Members of the answer beside the list, and what they say. */
export function indicatorsOf(
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
