import { parse } from "../../syntax/parser.ts";
import type { Definition } from "../../syntax-tree.ts";
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
const scopes = new Map<string, Scope>();

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

/** A builtin that is defined in jq: its scope, outside of every environment. */
export function preludeScope(name: string, arity: number): Scope | undefined {
  const key = `${name}/${arity}`;
  const known = scopes.get(key);
  if (known !== undefined) return known;
  const definition = preludeDefinition(key);
  if (definition === undefined) return undefined;
  const scope = withDefinition(undefined, definition);
  scopes.set(key, scope);
  return scope;
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
