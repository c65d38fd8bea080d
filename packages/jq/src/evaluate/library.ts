import type { Definition } from "../syntax-tree.ts";
import type { Attempted, Direct, FilterFunction, ValueFunction } from "./builtins/contract.ts";

/** Builtins in tables, by `name/arity`. */
export interface FunctionTables {
  readonly values?: Readonly<Record<string, ValueFunction>>;
  /** Those of the values that programs try out. */
  readonly attempted?: Readonly<Record<string, Attempted>>;
  readonly filters?: Readonly<Record<string, FilterFunction>>;
  /** Shorter ways for calls of what is written in jq. */
  readonly direct?: Readonly<Record<string, Direct>>;
}

/** What calls mean that the program doesn't define, by `name/arity`. */
export interface Library {
  readonly values: ReadonlyMap<string, ValueFunction>;
  readonly attempted: ReadonlyMap<string, Attempted>;
  readonly filters: ReadonlyMap<string, FilterFunction>;
  readonly direct: ReadonlyMap<string, Direct>;
  /** Of a builtin that is written in jq. */
  readonly definition: (key: string) => Definition | undefined;
}

export function libraryOf(
  tables: readonly FunctionTables[],
  definition: (key: string) => Definition | undefined,
): Library {
  const all = <Function>(part: (tables: FunctionTables) => Readonly<Record<string, Function>> | undefined) =>
    new Map(tables.flatMap((each) => Object.entries(part(each) ?? {})));
  return {
    values: all(({ values }) => values),
    attempted: all(({ attempted }) => attempted),
    filters: all(({ filters }) => filters),
    direct: all(({ direct }) => direct),
    definition,
  };
}

const constants = new Set(["null/0", "true/0", "false/0"]);

/** Whether a call can be run, by its name and the number of its arguments. */
export function hasFunction({ values, filters, definition }: Library, key: string): boolean {
  return constants.has(key) || values.has(key) || filters.has(key) || definition(key) !== undefined;
}
