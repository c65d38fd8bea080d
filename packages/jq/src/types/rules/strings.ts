import { type Flow, many, maybe } from "../flow.ts";
import { capturedBy, patternOf, scannedBy } from "../regex-groups.ts";
import { array, boolean, nullType, number, object, record, string, type Type, union } from "../type.ts";
import { type BuiltinCall, type BuiltinRule, gives, type Kind, type RuleTable } from "./rule.ts";

const text: readonly Kind[] = ["string"];
const textual = gives(string, text);
const withText = gives(string, text, text);
const testsText = gives(boolean, text, text);

/** An expression may come with its flags, as an array. */
const regex: readonly Kind[] = ["string", "array"];

const group = object([
  ["offset", { type: number, optional: false }],
  ["length", { type: number, optional: false }],
  ["string", { type: union(string, nullType), optional: false }],
  ["name", { type: union(string, nullType), optional: false }],
]);
const match = record({ offset: number, length: number, string, captures: array(group) });
const groups = object([], union(string, nullType));
/** The named groups of a pattern that is known. */
const groupsOf = ([expression, flags]: readonly (Type | undefined)[]): Type => {
  const regex = patternOf(expression, flags);
  return regex === undefined ? groups : capturedBy(regex);
};

/** One match at most, unless the flags say “g”. */
function matching(
  typeOf: (values: readonly Type[]) => Type,
  first: readonly Kind[] | undefined,
): BuiltinRule {
  return {
    input: text,
    arguments: [first],
    flow: ({ values }) => {
      const [expression, flags] = values;
      const type = typeOf(values);
      if (expression!.kind !== "string") return many(type);
      if (flags === undefined || flags.kind === "null") return maybe(type);
      const isKnown = flags.kind === "string" && flags.value !== undefined;
      return isKnown && !flags.value!.includes("g") ? maybe(type) : many(type);
    },
  };
}

/** Every output of the replacement gives one of the whole. */
const replaces: BuiltinRule = {
  input: text,
  flow: ({ arguments: [, replacement], values: [expression, , flags] }) => {
    const { cardinality } = replacement!(groupsOf([expression, flags]));
    return { type: string, cardinality: cardinality === "one" ? "one" : "many", fails: false };
  },
};

const found = union(string, array(union(string, nullType)));
const scans = ({ values: [expression, flags] }: BuiltinCall): Flow => {
  const regex = patternOf(expression, flags);
  return many(regex === undefined ? found : scannedBy(regex));
};

/** Text, regular expressions and formats. */
export const stringsRules: RuleTable = {
  "ascii/0": gives(string, ["number"]),
  "ascii_downcase/0": textual,
  "ascii_upcase/0": textual,
  "explode/0": gives(array(number), text),
  "implode/0": gives(string, ["array"]),
  "startswith/1": testsText,
  "endswith/1": testsText,
  "ltrimstr/1": withText,
  "rtrimstr/1": withText,
  "trimstr/1": withText,
  "trim/0": textual,
  "ltrim/0": textual,
  "rtrim/0": textual,
  "split/1": gives(array(string), text, text),
  "split/2": gives(array(string), text),
  "splits/1": { input: text, flow: () => many(string) },
  "splits/2": { input: text, flow: () => many(string) },
  "join/1": gives(string, ["array", "object"]),
  "test/1": gives(boolean, text, regex),
  "test/2": gives(boolean, text),
  "match/1": matching(() => match, regex),
  "match/2": matching(() => match, undefined),
  "capture/1": matching(groupsOf, regex),
  "capture/2": matching(groupsOf, undefined),
  "scan/1": { input: text, arguments: [regex], flow: scans },
  "scan/2": { input: text, flow: scans },
  "sub/2": replaces,
  "sub/3": replaces,
  "gsub/2": replaces,
  "gsub/3": replaces,
  "format/1": gives(string, undefined, text),
};
