import type { AnyOutputs, Argument, OneOutput } from "./builtins/builtin.ts";
import { listStreams, lists } from "./builtins/lists.ts";
import { numbers } from "./builtins/numbers.ts";
import { objects } from "./builtins/objects.ts";
import { textStreams, texts } from "./builtins/texts.ts";
import { times } from "./builtins/times.ts";
import { isKind, isTrue, type Outputs, resolved, UNKNOWN, type Value } from "./value.ts";

/** A call of a builtin; one that isn't known gives one output or more, of which nothing is known. */
export function call(
  name: string,
  input: Value,
  [first, second]: readonly Argument[],
  now: number,
  onFailure: () => void,
): Outputs {
  const known = resolved(input);
  if (known === null && refusesNull.has(name)) onFailure();
  if (typeof known === "string" && readsNot(name, known)) onFailure();
  const called = { input, known, first, second, now };
  const one = oneOutput.get(name);
  if (one !== undefined) return [one(called)];
  return anyOutputs.get(name)?.(called);
}

const constants: OneOutput = {
  null: () => null,
  true: () => true,
  false: () => false,
  not({ input }) {
    const holds = isTrue(input);
    return holds === undefined ? UNKNOWN : !holds;
  },
};

/** Builtins of which only is known that they give one output. */
const opaque: OneOutput = Object.fromEntries(
  ["del", "group_by", "type", "unique", "unique_by"].map((name) => [name, () => UNKNOWN]),
);

const oneOutput = new Map(
  Object.entries({ ...constants, ...numbers, ...texts, ...times, ...lists, ...objects, ...opaque }),
);

const filters: AnyOutputs = {
  empty: () => [],
  error: () => [],
  objects({ input, known }) {
    if (isKind(known, "record")) return [input];
    if (isKind(input, "part") && input.path.at(-1) === "body") return [input];
    return known === null || typeof known !== "object" || isKind(known, "list") ? [] : undefined;
  },
  select({ input, first }) {
    const test = first?.(input);
    const holds = test?.length === 1 ? isTrue(test[0]!) : undefined;
    return holds === undefined ? undefined : holds ? [input] : [];
  },
};

const anyOutputs = new Map(Object.entries({ ...filters, ...textStreams, ...listStreams }));

/** Builtins that fail for null. */
const refusesNull: ReadonlySet<string> = new Set([
  "ascii_downcase",
  "ascii_upcase",
  "split",
  "test",
  "match",
  "capture",
  "scan",
  "sub",
  "gsub",
  "fromdate",
  "fromdateiso8601",
  "strptime",
  "todate",
  "strftime",
  "mktime",
  "tonumber",
  "join",
  "map",
  "keys",
  "to_entries",
  "from_entries",
  "with_entries",
  "startswith",
  "endswith",
  "floor",
  "sort",
  "sort_by",
  "group_by",
  "unique",
  "any",
  "all",
  "has",
]);

/** Whether a builtin that takes a number or a date as a text can't read this one. */
function readsNot(name: string, text: string): boolean {
  switch (name) {
    case "tonumber":
      return !/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$|nan$|infinity$/i.test(text);
    case "strptime":
      return !/\d/.test(text);
    case "fromdate":
    case "fromdateiso8601":
      return !/^\s*\d+-\d+-\d+T\d+:\d+:\d+Z$/.test(text);
    default:
      return false;
  }
}
