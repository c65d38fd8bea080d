import { parse } from "../../syntax/parser.ts";
import type { Definition } from "../../syntax-tree.ts";
import { type FunctionTables, libraryOf } from "../library.ts";
import { core } from "./core.ts";
import { dateFunctions } from "./dates.ts";
import { introspection } from "./introspection.ts";
import { prelude } from "./prelude.ts";
import { regexFunctions } from "./regex.ts";
import { replacements } from "./replacements.ts";

/** Builtins that search texts by regular expressions. */
const regularExpressions: FunctionTables = { values: regexFunctions, direct: replacements };

/** Builtins that read and write dates. */
const dates: FunctionTables = { values: dateFunctions };

let definitions: Map<string, Definition> | undefined;

/** A builtin that is written in jq, by `name/arity`. */
export function preludeDefinition(key: string): Definition | undefined {
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

const tables = [core, regularExpressions, dates, introspection];

/** All builtins of jq. */
export const standard = libraryOf(tables, preludeDefinition);

/** The same, and functions of the caller. */
export function standardWith(own: FunctionTables): typeof standard {
  return libraryOf([...tables, own], preludeDefinition);
}
