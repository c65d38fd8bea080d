import type { Expression } from "@configc/jq";
import { assume } from "./assume.ts";
import type { Use } from "./demands.ts";
import type { Navigator } from "./navigate.ts";
import { shortened } from "./operators.ts";
import { choice, literal, made, nothing, type Operation, type Value } from "./value.ts";

/** Walks an argument; by default with the input of the call. */
type WalkArgument = (argument: Expression, input?: Value) => Value;

/** What a builtin gives, where something is known of it. */
export function callBuiltin(
  name: string,
  parameters: readonly Expression[],
  input: Value,
  walk: WalkArgument,
  navigator: Navigator,
): Value {
  const key = `${name}/${parameters.length}`;
  const [first, second] = parameters;
  const item = (): Value => navigator.item(input);
  const taken = takes[name];
  if (taken !== undefined) {
    const [use, by] = taken;
    // A time is one too where something is cut off or added before it is read.
    if (use !== undefined) navigator.use(use === "time" ? (shortened(input) ?? input) : input, use);
    return made(by, input, ...parameters.map((argument) => walk(argument)));
  }
  switch (key) {
    case "not/0":
      for (const use of ["condition", "negated"] as const) navigator.use(input, use);
      return made("boolean", input);
    case "null/0":
      return nothing;
    case "true/0":
    case "false/0":
      return literal(name === "true");
    case "empty/0":
    case "error/0":
      return choice([]);
    case "error/1":
      walk(first!);
      return choice([]);
    case "now/0":
      return { kind: "place", root: { kind: "clock" }, path: [] };
    case "select/1":
      navigator.use(walk(first!), "condition");
      // What is passed over is there now and then, and not as a rule.
      if (isNullTest(first!)) assume(first!, true, walk, navigator, input);
      return input;
    case "map/1":
      return { kind: "list", item: walk(first!, item()) };
    case "map_values/1":
      navigator.use(input, "keyed");
      walk(first!, item());
      return input;
    case "first/0":
    case "last/0":
      navigator.use(input, name === "first" ? "first" : "last");
      return item();
    case "min/0":
    case "max/0":
    case "add/0":
      return item();
    case "nth/1":
      walk(first!);
      return item();
    case "min_by/1":
    case "max_by/1": {
      const each = item();
      walk(first!, each);
      return each;
    }
    case "first/1":
    case "last/1":
    case "add/1":
    case "recurse/1":
    case "isempty/1":
    case "any/1":
    case "all/1":
      if (name === "any" || name === "all") return made("boolean", walk(first!, item()));
      return name === "isempty" ? made("boolean", walk(first!)) : walk(first!);
    case "any/2":
    case "all/2":
      return made("boolean", walk(second!, walk(first!)));
    case "limit/2":
    case "skip/2":
    case "nth/2":
      walk(first!);
      return walk(second!);
    case "sort_by/1":
    case "unique_by/1":
      walk(first!, item());
      return input;
    case "group_by/1":
      walk(first!, item());
      return { kind: "list", item: input };
    case "sort/0":
    case "unique/0":
    case "reverse/0":
      item();
      return input;
    case "transpose/0":
      return { kind: "list", item: { kind: "list", item: navigator.item(item()) } };
    case "strptime/1": {
      const format = walk(first!);
      const whole = shortened(input);
      navigator.use(whole ?? input, whole === undefined ? "text" : "time");
      if (whole === undefined && format.kind === "literal" && typeof format.value === "string")
        navigator.format(input, format.value);
      return made("time", input);
    }
    case "flatten/0":
    case "flatten/1":
      return { kind: "list", item: item() };
    case "values/0":
    case "nulls/0":
    case "strings/0":
    case "numbers/0":
    case "booleans/0":
    case "arrays/0":
    case "objects/0":
    case "iterables/0":
    case "scalars/0":
      return input;
    case "with_entries/1":
      navigator.use(input, "keyed");
      // Members are renamed or left out; which they are isn't known, and most stay.
      walk(first!, entryOf(input));
      return input;
    case "to_entries/0":
      navigator.use(input, "keyed");
      return { kind: "list", item: entryOf(input) };
    case "from_entries/0":
      return made("other", input);
    case "tostring/0":
    case "tojson/0":
      return made("text", input);
    case "getpath/1": {
      const path = walk(first!);
      return path.kind === "literal" && Array.isArray(path.value)
        ? path.value.reduce<Value>(
            (value, step) =>
              typeof step === "string" ? navigator.member(value, step) : navigator.item(value),
            input,
          )
        : made("other", input);
    }
    case "join/1":
      navigator.use(item(), "scalar");
      walk(first!);
      return made("text", input);
    case "has/1": {
      const key = walk(first!);
      if (key.kind !== "literal" || typeof key.value !== "string") return made("boolean", input);
      const member = navigator.member(input, key.value);
      navigator.use(member, "presence");
      return made("boolean", member);
    }
    case "del/1":
    case "delpaths/1":
    case "pick/1":
    case "to_array/0":
      return input;
    case "range/1":
    case "range/2":
    case "range/3":
      return made("number", ...parameters.map((argument) => walk(argument)));
    case "fromjson/0":
      navigator.use(input, "parsed");
      return made("other", input);
    default:
      return made("other", input, ...parameters.map((argument) => walk(argument)));
  }
}

/** `.closed_at == null` */
function isNullTest(node: Expression): boolean {
  return (
    node.kind === "Comparison" &&
    node.operator === "==" &&
    node.right.kind === "Call" &&
    node.right.name.text === "null"
  );
}

/** A member of an object as `to_entries` gives it. */
function entryOf(input: Value): Value {
  return {
    kind: "object",
    members: new Map([
      ["key", made("text", input)],
      ["value", made("other", input)],
    ]),
  };
}

/** For what builtins take their input, and what they make of it. */
const takes: Readonly<Record<string, readonly [Use | undefined, Operation]>> = {
  length: [undefined, "length"],
  tonumber: ["number", "number"],
  floor: ["number", "number"],
  ceil: ["number", "number"],
  round: ["number", "number"],
  fabs: ["number", "number"],
  fromdate: ["time", "time"],
  fromdateiso8601: ["time", "time"],
  dateadd: ["time", "time"],
  datesub: ["time", "time"],
  date: ["epoch", "time"],
  todate: ["epoch", "time"],
  todateiso8601: ["epoch", "time"],
  gmtime: ["epoch", "time"],
  localtime: ["epoch", "time"],
  mktime: [undefined, "time"],
  strftime: ["epoch", "time"],
  strflocaltime: ["epoch", "time"],
  test: ["text", "boolean"],
  startswith: ["text", "boolean"],
  endswith: ["text", "boolean"],
  contains: [undefined, "boolean"],
  inside: [undefined, "boolean"],
  index: [undefined, "number"],
  split: ["text", "other"],
  sub: ["text", "text"],
  gsub: ["text", "text"],
  match: ["text", "other"],
  capture: ["text", "other"],
  scan: ["text", "other"],
  splits: ["text", "text"],
  ascii_downcase: ["text", "text"],
  ascii_upcase: ["text", "text"],
  ascii: ["text", "text"],
  ltrimstr: [undefined, "text"],
  rtrimstr: [undefined, "text"],
  trimstr: [undefined, "text"],
  trim: ["text", "text"],
  ltrim: ["text", "text"],
  rtrim: ["text", "text"],
  explode: ["text", "other"],
  utf8bytelength: ["text", "number"],
  type: [undefined, "text"],
};
