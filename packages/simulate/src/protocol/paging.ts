import {
  changeNames,
  creationNames,
  directionNames,
  hasWord,
  idNames,
  orderNames,
  wordsOf,
} from "../service/names.ts";
import type { CommandWalk } from "../symbolic/command.ts";
import type { Demand } from "../symbolic/demands.ts";
import type { Parameter } from "../symbolic/url.ts";
import { choice, isPlaceOf, type Value } from "../symbolic/value.ts";
import { nameOf } from "./places.ts";
import type { Protocol, RoleOf } from "./protocol.ts";
import { stateKeys } from "./state-sources.ts";

/** @param parameters of the request that reads the list, and of the one that opens it */
export function orderOf(parameters: readonly Parameter[], list: Demand): Protocol["order"] {
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
  return {
    direction: isDescending || (!isStated && isSupposed) ? "descending" : "ascending",
    isStated,
    by: texts.map(sortedBy).find((each) => each !== undefined),
  };
}

/** By what an order is that a parameter names: `-updated_at`, `created`, `id`. */
function sortedBy(text: string): Protocol["order"]["by"] {
  const [first = ""] = text.split(",");
  if (hasWord(first, changeNames)) return "change";
  if (hasWord(first, creationNames)) return "creation";
  return wordsOf(first).some((word) => idNames.has(word) || word === "number") ? "id" : undefined;
}

/** Sizes that a program compares lengths with, or counts on by, can't be another. */
export function sizeOf(
  roles: readonly RoleOf[],
  parameters: readonly Parameter[],
  walk: CommandWalk,
  output: Value,
): Protocol["size"] {
  // What is added to a bound is a width of time.
  const bounds = new Set(
    roles.flatMap(({ role, parameter }) =>
      "field" in role
        ? parameters
            .filter((each) => nameOf(each) === nameOf(parameter))
            .flatMap(({ value }) => stateKeys(value))
        : [],
    ),
  );
  const stated = roles.map(({ role }) => role).find((role) => role.kind === "size");
  const counted = numbersBesideLengths(
    choice([walk.navigator.member(output, "iterate"), walk.navigator.member(output, "polling_state")]),
    bounds,
  ).filter((each) => each <= LARGEST);
  const offset = roles.some(({ role }) => role.kind === "offset");
  if (stated !== undefined && stated.kind === "size")
    return { size: stated.size, isFixed: offset || counted.includes(stated.size) };
  const [size] = counted.filter((each) => each > 1);
  return { size: size ?? 2, isFixed: size !== undefined };
}

/** Larger numbers count something else than the records of a page. */
const LARGEST = 10_000;

function numbersBesideLengths(value: Value, bounds: ReadonlySet<string>): number[] {
  switch (value.kind) {
    case "made": {
      const isOfTimes = value.of.some(
        (each) => hasTime(each) || stateKeys(each).some((key) => bounds.has(key)),
      );
      return value.of.flatMap((each) => {
        if (each.kind !== "literal") return numbersBesideLengths(each, bounds);
        return typeof each.value === "number" && !isOfTimes ? [each.value] : [];
      });
    }
    case "choice":
      return value.of.flatMap((each) => numbersBesideLengths(each, bounds));
    case "object":
      return [...value.members.values()].flatMap((each) => numbersBesideLengths(each, bounds));
    default:
      return [];
  }
}

/** Seconds that are taken off a time are no size. */
function hasTime(value: Value): boolean {
  if (value.kind === "made") return value.by === "time" || value.of.some(hasTime);
  return isPlaceOf(value, "clock") || (value.kind === "choice" && value.of.some(hasTime));
}
