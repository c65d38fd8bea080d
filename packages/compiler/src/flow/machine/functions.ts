import {
  A_NUMBER,
  compare,
  concat,
  each,
  entriesOf,
  isKind,
  isTrue,
  itemsOf,
  madeOf,
  memberOf,
  type Outputs,
  resolved,
  type TextValue,
  UNKNOWN,
  type Value,
} from "./value.ts";

type Argument = (value: Value) => Outputs;

/** A call of a builtin; one that isn't known gives one output or more, of which nothing is known. */
export function call(
  name: string,
  input: Value,
  given: readonly Argument[],
  now: number,
  onFailure: () => void,
): Outputs {
  const [first] = given;
  const known = resolved(input);
  if (known === null && refusesNull.has(name)) onFailure();
  if (typeof known === "string" && readsNot(name, known)) onFailure();
  const items = (): readonly Value[] | undefined => itemsOf(input);
  switch (name) {
    case "null":
    case "true":
    case "false":
      return [constants[name]];
    case "empty":
    case "error":
      return [];
    case "objects":
      if (isKind(known, "record")) return [input];
      if (isKind(input, "part") && input.path.at(-1) === "body") return [input];
      return known === null || typeof known !== "object" || isKind(known, "list") ? [] : undefined;
    case "now":
      return [now];
    case "not": {
      const holds = isTrue(input);
      return [holds === undefined ? UNKNOWN : !holds];
    }
    case "length":
      if (typeof known === "string") return [known.length];
      if (typeof known === "number") return [Math.abs(known)];
      return [known === null ? 0 : (items()?.length ?? UNKNOWN)];
    case "floor":
    case "ceil":
    case "round":
    case "trunc":
      return [typeof known === "number" ? Math[name](known) : UNKNOWN];
    case "tonumber":
      if (typeof known === "string")
        return [known !== "" && Number.isFinite(Number(known)) ? Number(known) : UNKNOWN];
      if (isKind(known, "text") && known.says !== undefined && "number" in known.says)
        return [known.says.number];
      return [
        typeof known === "number" ? known : isKind(known, "unknown") ? (known.number ?? UNKNOWN) : UNKNOWN,
      ];
    case "split":
      if (!isKind(known, "text")) return [UNKNOWN];
      if (known.field !== undefined) return [{ kind: "list", items: known.field }];
      return [known.fields === undefined ? UNKNOWN : { kind: "unknown", entries: written(known.fields) }];
    case "capture":
      if (!isKind(known, "text") || known.fields === undefined) return undefined;
      return [{ kind: "record", members: known.fields, open: true }];
    case "ltrimstr":
    case "sub": {
      const [start] = first?.(input) ?? [];
      return [isKind(known, "text") ? cutBefore(known, name, start) : UNKNOWN];
    }
    case "startswith": {
      const [start] = first?.(input) ?? [];
      if (typeof start !== "string") return [UNKNOWN];
      if (typeof known === "string") return [known.startsWith(start)];
      return [
        isKind(known, "text") && known.field !== undefined ? beginsWith(known.field[0], start) : UNKNOWN,
      ];
    }
    case "index": {
      const [wanted] = first?.(input) ?? [];
      const entries = wanted === undefined ? undefined : entriesOf(known);
      const found = entries?.map((entry) => compare(whole(entry), wanted!));
      if (found === undefined) return [UNKNOWN];
      return [found.includes(0) ? A_NUMBER : found.includes(undefined) ? UNKNOWN : null];
    }
    case "ascii_downcase":
    case "ascii_upcase":
      return [
        isKind(known, "text") ? { ...known, letters: name === "ascii_upcase" ? "upper" : "lower" } : UNKNOWN,
      ];
    case "rtrimstr":
    case "gsub":
      return [isKind(known, "text") ? known : UNKNOWN];
    case "fabs":
    case "abs":
      return [typeof known === "number" ? Math.abs(known) : UNKNOWN];
    case "fromjson":
      // What is written anew has other blanks and another order.
      return [
        isKind(known, "text") ? { ...known, of: known.of.map((part) => part.replace(/^raw_/, "")) } : UNKNOWN,
      ];
    case "tostring":
    case "tojson":
      // Written as JSON, a text has quotes around it.
      if (isKind(known, "text") && name === "tojson" && known.of.includes("raw_body"))
        return [{ kind: "text", of: ["JSON of raw_body"], label: undefined, isOther: true }];
      if (isKind(known, "text")) return [known];
      return [
        typeof known === "string" && name === "tostring"
          ? known
          : typeof known === "number"
            ? `${known}`
            : UNKNOWN,
      ];
    case "todate":
    case "todateiso8601":
      return [typeof known === "number" && known < 1e11 ? isoDate(known) : UNKNOWN];
    case "fromdate":
    case "fromdateiso8601":
      if (isKind(known, "text") && known.says !== undefined && "date" in known.says) return [known.says.date];
      return [typeof known === "string" && /^\d{4}-.*Z$/.test(known) ? Date.parse(known) / 1_000 : UNKNOWN];
    case "map": {
      const entries = first === undefined ? undefined : entriesOf(known);
      if (entries !== undefined) {
        const mapped = concat(each(entries, first!));
        return [mapped === undefined ? UNKNOWN : { kind: "unknown", entries: mapped }];
      }
      const own = items();
      const all = first === undefined || own === undefined ? undefined : concat(each(own, first));
      return [all === undefined ? UNKNOWN : { kind: "list", items: all }];
    }
    case "strftime": {
      const [format] = first?.(input) ?? [];
      const isPlain = typeof known === "number" && typeof format === "string";
      return [isPlain ? (formatted(known, format) ?? UNKNOWN) : UNKNOWN];
    }
    case "with_entries":
    case "to_entries":
    case "from_entries":
      return [entriesCall(name, known, first)];
    case "del":
    case "keys":
      return [
        isKind(known, "record") && !known.open && name === "keys"
          ? { kind: "list", items: [...known.members.keys()].sort() }
          : UNKNOWN,
      ];
    case "select": {
      const test = first?.(input);
      const holds = test?.length === 1 ? isTrue(test[0]!) : undefined;
      return holds === undefined ? undefined : holds ? [input] : [];
    }
    case "first":
    case "last": {
      if (first !== undefined) {
        const all = first(input);
        return all === undefined
          ? undefined
          : all.slice(name === "first" ? 0 : -1, name === "first" ? 1 : undefined);
      }
      const all = items();
      return [all === undefined ? UNKNOWN : (all.at(name === "first" ? 0 : -1) ?? null)];
    }
    case "has": {
      const [key] = first?.(input) ?? [];
      if (typeof key !== "string") return [UNKNOWN];
      const member = resolved(memberOf(input, key));
      // A member that is null may be there or not.
      return [
        member === UNKNOWN ? UNKNOWN : isKind(known, "record") ? known.members.has(key) : member !== null,
      ];
    }
    case "any":
    case "all": {
      const own = items() ?? entriesOf(known);
      const truths = (first === undefined || own === undefined ? own : concat(each(own, first)))?.map(isTrue);
      const decisive = name === "any";
      if (truths?.includes(decisive)) return [decisive];
      return [truths === undefined || truths.includes(undefined) ? UNKNOWN : !decisive];
    }
    case "max":
    case "min": {
      const all = items();
      if (all === undefined) return [UNKNOWN];
      return [all.length === 0 ? null : all.reduce((a, b) => extreme(a, b, name === "max" ? 1 : -1))];
    }
    case "sort":
    case "sort_by":
    case "min_by":
    case "max_by":
      return [sorted(name, itemsOf(input), first)];
    case "reverse": {
      const all = items();
      return [all === undefined ? UNKNOWN : { kind: "list", items: all.toReversed() }];
    }
    case "add":
      return [merged(entriesOf(known))];
    default:
      return oneOutput.has(name) ? [UNKNOWN] : undefined;
  }
}

const constants = { null: null, true: true, false: false } as const;

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

/** Builtins that give one output, whatever they get. */
const oneOutput: ReadonlySet<string> = new Set([
  "contains",
  "endswith",
  "group_by",
  "join",
  "keys",
  "split",
  "strftime",
  "test",
  "to_entries",
  "from_entries",
  "with_entries",
  "type",
  "unique",
  "unique_by",
]);

/** A text without what it begins with, as far as that is known. */
function cutBefore(text: TextValue, name: string, given: Value | undefined): Value {
  if (typeof given !== "string" || (name === "sub" && !/^\^[\w=:.-]+$/.test(given))) return text;
  const start = name === "sub" ? given.slice(1) : given;
  if (text.field !== undefined) return start === `${text.field[0]}=` ? text.field[1] : text;
  const { before = "" } = text;
  if (before.startsWith(start)) return { ...text, before: before.slice(start.length) };
  return before === "" && !text.isWhole ? { ...text, without: start } : text;
}

/** Whether `NAME=…` begins with a text. */
function beginsWith(name: string, start: string): Value {
  if (`${name}=`.startsWith(start)) return true;
  return start.startsWith(`${name}=`) ? UNKNOWN : false;
}

/** `t=1` as one text. */
function whole(entry: Value): Value {
  if (!isKind(entry, "text") || entry.field === undefined) return entry;
  return madeOf([`${entry.field[0]}=`, entry.field[1]]) ?? UNKNOWN;
}

/** A list in the order of its items, or of what each gives, or its end. */
function sorted(name: string, items: readonly Value[] | undefined, by: Argument | undefined): Value {
  const keyed = (items ?? []).map((item) => ({ item, key: by === undefined ? item : by(item)?.[0] }));
  let isKnown = items !== undefined;
  keyed.sort((a, b) => {
    const isClear = a.key !== undefined && b.key !== undefined;
    const order = a.item === b.item ? 0 : isClear ? compare(a.key!, b.key!) : undefined;
    isKnown &&= order !== undefined;
    return order ?? 0;
  });
  if (!isKnown) return UNKNOWN;
  if (name.startsWith("sort")) return { kind: "list", items: keyed.map(({ item }) => item) };
  return keyed.at(name === "min_by" ? 0 : -1)?.item ?? null;
}

function extreme(a: Value, b: Value, sign: 1 | -1): Value {
  const order = compare(a, b);
  return order === undefined ? UNKNOWN : order * sign >= 0 ? a : b;
}

/** `to_entries`, `from_entries` and `with_entries` of what is known whole. */
function entriesCall(name: string, known: Value, first: Argument | undefined): Value {
  const some = name === "from_entries" ? entriesOf(known) : undefined;
  if (some !== undefined) {
    const made = fromEntries(some);
    return isKind(made, "record") ? { ...made, open: true } : made;
  }
  if (name === "from_entries") return fromEntries(isKind(known, "list") ? known.items : undefined);
  if (!isKind(known, "record") || known.open) return UNKNOWN;
  const entries = [...known.members].map(
    ([key, value]): Value => ({
      kind: "record",
      members: new Map<string, Value>([
        ["key", key],
        ["value", value],
      ]),
      open: false,
    }),
  );
  if (name === "to_entries") return { kind: "list", items: entries };
  return fromEntries(first === undefined ? undefined : concat(entries.map(first)));
}

/** `t=1` and `v1=2` of `t=1,v1=2`. */
function written(fields: ReadonlyMap<string, Value>): readonly Value[] {
  return [...fields].map((field) => ({ kind: "text", of: [], label: undefined, isOther: false, field }));
}

/** The object that some records and others become together. */
function merged(entries: readonly Value[] | undefined): Value {
  const members = new Map<string, Value>();
  for (const entry of entries ?? []) {
    if (!isKind(entry, "record") || entry.open) return UNKNOWN;
    for (const [name, value] of entry.members) members.set(name, value);
  }
  return entries === undefined ? UNKNOWN : { kind: "record", members, open: true };
}

function fromEntries(entries: readonly Value[] | undefined): Value {
  const members = new Map<string, Value>();
  for (const entry of entries ?? []) {
    const [key, value] = [resolved(memberOf(entry, "key")), memberOf(entry, "value")];
    if (typeof key !== "string") return UNKNOWN;
    members.set(key, value);
  }
  return entries === undefined ? UNKNOWN : { kind: "record", members, open: false };
}

/** A time as `strftime` writes it; undefined for directives that few use. */
function formatted(seconds: number, format: string): string | undefined {
  const [date, time] = new Date(Math.floor(seconds) * 1_000).toISOString().slice(0, 19).split("T") as [
    string,
    string,
  ];
  const [year, month, day] = date.split("-") as [string, string, string];
  const [hours, minutes, rest] = time.split(":") as [string, string, string];
  const parts: Readonly<Record<string, string>> = {
    Y: year,
    m: month,
    d: day,
    H: hours,
    M: minutes,
    S: rest,
    F: date,
    T: time,
    Z: "UTC",
    z: "+0000",
    s: `${Math.floor(seconds)}`,
    "%": "%",
  };
  let isKnown = true;
  const text = format.replace(/%(.)/g, (_, directive: string) => {
    isKnown &&= parts[directive] !== undefined;
    return parts[directive] ?? "";
  });
  return isKnown ? text : undefined;
}

/** `2026-01-02T03:04:05Z` */
export function isoDate(seconds: number): string {
  return new Date(Math.floor(seconds) * 1_000).toISOString().replace(".000Z", "Z");
}
