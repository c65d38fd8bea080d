import { choices } from "./choices.ts";
import { collectionFunctions } from "./collections.ts";
import type { FilterFunction, ValueFunction } from "./contract.ts";
import { dateFunctions } from "./dates.ts";
import { preludeDefinition } from "./definitions.ts";
import { generalFunctions } from "./general.ts";
import { hostFilters, hostFunctions } from "./host.ts";
import { limits } from "./limits.ts";
import { lists } from "./lists.ts";
import { loops } from "./loops.ts";
import { mathFunctions } from "./math.ts";
import { pathFilters } from "./path-filters.ts";
import { regexFunctions } from "./regex.ts";
import { streams } from "./streams.ts";
import { stringFunctions } from "./strings.ts";
import { traversals } from "./traversals.ts";

/** By `name/arity`. */
export const valueFunctions: ReadonlyMap<string, ValueFunction> = new Map(
  [
    generalFunctions,
    collectionFunctions,
    stringFunctions,
    mathFunctions,
    dateFunctions,
    hostFunctions,
    regexFunctions,
  ].flatMap((table) => Object.entries(table)),
);

export const filterFunctions: ReadonlyMap<string, FilterFunction> = new Map(
  [choices, hostFilters, limits, lists, loops, pathFilters, streams, traversals].flatMap((table) =>
    Object.entries(table),
  ),
);

const constants = new Set(["null/0", "true/0", "false/0"]);

/** Whether a builtin can be run. */
export function isImplemented(name: string, arity: number): boolean {
  const key = `${name}/${arity}`;
  return (
    constants.has(key) ||
    valueFunctions.has(key) ||
    filterFunctions.has(key) ||
    preludeDefinition(key) !== undefined
  );
}
