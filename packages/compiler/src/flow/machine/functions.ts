import type { AnyOutputs, Argument, OneOutput } from "./builtins/builtin.ts";
import { listStreams, lists } from "./builtins/lists.ts";
import { numbers } from "./builtins/numbers.ts";
import { objects } from "./builtins/objects.ts";
import { streamedLists, textStreams, texts } from "./builtins/texts.ts";
import { times } from "./builtins/times.ts";
import {
  EVERY_NAME,
  isKind,
  isTrue,
  type Outputs,
  resolved,
  type Source,
  UNKNOWN,
  type Value,
} from "./value.ts";

/** A call of a builtin; one that isn't known gives one output or more, of which nothing is known. */
export function call(
  name: string,
  input: Value,
  given: readonly Argument[],
  now: number,
  onFailure: () => void,
): Outputs {
  const known = resolved(input);
  const [first, second] = given;
  // `any(.tags[]; . == "new")` goes through what it is given instead.
  const takesInput = given.length < (ofArguments.get(name) ?? Number.POSITIVE_INFINITY);
  if (known === null && takesInput && refusesNull.has(name)) onFailure();
  if (typeof known === "string" && takesInput && (wantsItems.has(name) || readsNot(name, known))) onFailure();
  const called = { input, known, first, second, now };
  const one = oneOutput.get(name);
  if (one !== undefined) return [one(called)];
  return anyOutputs.get(name)?.(called);
}

/** The list whose items a builtin gives, one after the other; undefined where it is none of these. */
export function listStreamed(
  name: string,
  input: Value,
  [first, second]: readonly Argument[],
  now: number,
): Value | undefined {
  return streamed.get(name)?.({ input, known: resolved(input), first, second, now });
}

/** What tells which members an argument names. */
const named: Source = { resolve: () => UNKNOWN };

const plain: OneOutput = {
  del({ known, first }) {
    if (known === null) return null;
    const paths = first?.({ kind: "part", path: [], source: named });
    if (paths === undefined || !isKind(known, "record")) return UNKNOWN;
    const names = paths.map((each) =>
      isKind(each, "part") && each.source === named && each.path.length === 1 ? each.path[0] : undefined,
    );
    if (!names.every((name) => name !== undefined && name !== "[]")) return UNKNOWN;
    const members = [...known.members].filter(([name]) => !names.includes(name));
    const gone = names.filter((name) => name !== undefined);
    const absent = known.absent === EVERY_NAME ? EVERY_NAME : new Set([...(known.absent ?? []), ...gone]);
    return { ...known, members: new Map(members), ...(known.open ? { absent } : {}) };
  },
  null: () => null,
  true: () => true,
  false: () => false,
  not({ input }) {
    const holds = isTrue(input);
    return holds === undefined ? UNKNOWN : !holds;
  },
  type({ known }) {
    if (known === null) return "null";
    if (typeof known !== "object") return typeof known;
    if (isKind(known, "list")) return "array";
    if (isKind(known, "record")) return "object";
    return isKind(known, "text") ? "string" : UNKNOWN;
  },
};

/** Builtins of which only is known that they give one output. */
const opaque: OneOutput = Object.fromEntries(
  ["group_by", "unique", "unique_by"].map((name) => [name, () => UNKNOWN]),
);

const oneOutput = new Map(
  Object.entries({ ...plain, ...numbers, ...texts, ...times, ...lists, ...objects, ...opaque }),
);

const streamed = new Map(Object.entries(streamedLists));

const filters: AnyOutputs = {
  arrays({ input, known }) {
    if (isKind(known, "list")) return [input];
    return typeof known === "string" || known === null || isKind(known, "text") ? [] : undefined;
  },
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

/** How many arguments a builtin has where they give what it goes through, instead of its input. */
const ofArguments: ReadonlyMap<string, number> = new Map([
  ["add", 1],
  ["all", 2],
  ["any", 2],
]);

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

/** Builtins that fail for a text: they go through a list or an object. */
const wantsItems: ReadonlySet<string> = new Set([
  "add",
  "all",
  "any",
  "flatten",
  "from_entries",
  "group_by",
  "join",
  "keys",
  "map",
  "max",
  "max_by",
  "min",
  "min_by",
  "sort",
  "sort_by",
  "to_entries",
  "unique",
  "unique_by",
  "with_entries",
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
