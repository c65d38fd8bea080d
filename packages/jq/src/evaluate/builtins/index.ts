import { parse } from "../../syntax/parser.ts";
import type { Definition, Span } from "../../syntax-tree.ts";
import { withDefinition } from "../pipeline-code.ts";
import type { Scope } from "../scope.ts";
import type { FilterFunction, ValueFunction } from "./contract.ts";
import { dateFunctions } from "./dates.ts";
import { filters } from "./filters.ts";
import { hostFilters, hostFunctions } from "./host.ts";
import { limits } from "./limits.ts";
import { mathFunctions } from "./math.ts";
import { prelude } from "./prelude.ts";
import { regexFunctions } from "./regex.ts";
import { traversals } from "./traversals.ts";
import { collectionFunctions, generalFunctions, stringFunctions } from "./values.ts";

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
  [filters, hostFilters, limits, traversals].flatMap((table) => Object.entries(table)),
);

let definitions: Map<string, Definition> | undefined;

function preludeDefinition(key: string): Definition | undefined {
  if (definitions === undefined) {
    const { body } = parse(`${prelude} .`).program;
    const stages = body.kind === "Pipeline" ? body.stages : [];
    definitions = new Map();
    for (const stage of stages) {
      if (stage.kind === "Definition")
        definitions.set(`${stage.name.text}/${stage.parameters.length}`, stage);
    }
  }
  return definitions.get(key);
}

/**
 * A builtin that is defined in jq, for one call: its scope, outside of every environment. All of it stands where the call
 * does, so that what fails within it fails at the call.
 */
export function preludeScope(name: string, arity: number, call: Span): Scope | undefined {
  const definition = preludeDefinition(`${name}/${arity}`);
  return definition && withDefinition(undefined, movedTo(call, definition));
}

/** A copy of a part of a tree in which everything has the same span. */
function movedTo<Part>({ start, end }: Span, part: Part): Part {
  const copy = (from: unknown): unknown => {
    if (typeof from !== "object" || from === null) return from;
    if (Array.isArray(from)) return from.map(copy);
    const members = Object.entries(from).map(([name, value]) => [name, copy(value)] as const);
    return Object.assign(Object.fromEntries(members), "start" in from ? { start, end } : {});
  };
  return copy(part) as Part;
}

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
