import { excerpt } from "../excerpt.ts";
import { printType } from "./print.ts";
import type { Type } from "./type.ts";

/** Arguments of the findings about types. Types stand in them as text. */
export interface TypeFindingArguments {
  /** `.key`, `[key]` of a value that has no such members; `key` is the type of the key. */
  readonly "cannot-index": { readonly found: string; readonly key: string };
  /** `.[from:to]` of a value that can't be cut. */
  readonly "cannot-slice": { readonly found: string };
  /** `[]` of a value that is neither an array nor an object. */
  readonly "cannot-iterate": { readonly found: string };
  /** A member that no value of a closed type has; `members` are those that it has. */
  readonly "missing-member": {
    readonly name: string;
    readonly members: readonly string[];
    readonly suggestion?: string;
    /** What it is asked for; without it, it is read. */
    readonly use?: "has" | "del" | "entry";
  };
  readonly "operand-types": { readonly operator: string; readonly left: string; readonly right: string };
  /** `/ 0` */
  readonly "division-by-zero": Readonly<Record<never, never>>;
  readonly "cannot-negate": { readonly found: string };
  /** The input of a builtin function or a format; `accepted` are kinds of values. */
  readonly "input-type": {
    readonly name: string;
    readonly found: string;
    readonly accepted: readonly string[];
  };
  /** `position` counts arguments from 1. */
  readonly "argument-type": {
    readonly name: string;
    readonly position: number;
    readonly found: string;
    readonly accepted: readonly string[];
    /** The type of the call's input, where it decides what is accepted. */
    readonly input?: string;
  };
  /** A computed object key that is no string. */
  readonly "key-type": { readonly found: string };
  /** `==` and `!=` of values that can't be equal. */
  readonly "never-equal": { readonly operator: string; readonly left: string; readonly right: string };
  /** `==` and `!=` of a text with one that can only be some others. */
  readonly "no-such-value": {
    readonly operator: string;
    readonly value: string;
    readonly values: readonly string[];
    readonly suggestion?: string;
  };
  /** `<`, `>` and the like of values of different kinds, which jq orders by their kinds; `result` is what it always is. */
  readonly "always-ordered": {
    readonly operator: string;
    readonly left: string;
    readonly right: string;
    readonly result: boolean;
  };
}

type TypeFindingCode = keyof TypeFindingArguments;

/** Findings that say that what they point at fails whenever it is evaluated. The others are of less weight. */
export const failureCodes: ReadonlySet<string> = new Set<TypeFindingCode>([
  "cannot-index",
  "cannot-slice",
  "cannot-iterate",
  "operand-types",
  "division-by-zero",
  "cannot-negate",
  "input-type",
  "argument-type",
  "key-type",
]);

/** A type as a message shows it. */
export function shownType(type: Type): string {
  return excerpt(printType(type, { depth: 2, members: 6 }), 120);
}

/** The same beside an operator. */
export function shownOperand(type: Type): string {
  return type.kind === "union" ? `(${shownType(type)})` : shownType(type);
}

export const typeMessages: {
  readonly [Code in TypeFindingCode]: (args: TypeFindingArguments[Code]) => string;
} = {
  "cannot-index": ({ found, key }) =>
    `This always fails: ${found} has no ${key} keys. Objects have string keys, arrays have number keys.`,
  "cannot-slice": ({ found }) =>
    `This always fails: [from:to] can't slice ${found}. It slices strings, arrays and null, with numbers as bounds.`,
  "cannot-iterate": ({ found }) =>
    `This always fails: ${found} can't be iterated. Only arrays and objects have items. Append ? to skip other values.`,
  "missing-member": ({ name, members, suggestion, use }) =>
    `There is no member ${JSON.stringify(name)} here, so ${missingHelp[use ?? "read"]}.${suggestion === undefined ? "" : ` Did you mean ${JSON.stringify(suggestion)}?`} ${membersText(members)}`,
  "operand-types": ({ operator, left, right }) =>
    `${left} ${operator} ${right} always fails. ${operatorHelp.get(operator) ?? ""}`,
  "division-by-zero": () => "This always fails: it divides by 0.",
  "cannot-negate": ({ found }) => `This always fails: ${found} can't be negated. Only numbers can.`,
  "input-type": ({ name, found, accepted }) =>
    `${name} always fails here: its input is ${found}, but it takes ${listed(accepted)}.`,
  "argument-type": ({ name, position, found, accepted, input }) =>
    `${name} always fails here: argument ${position} is ${found}, but it takes ${listed(accepted)}${input === undefined ? "" : ` for the input ${input}`}.`,
  "key-type": ({ found }) =>
    `This always fails: an object key must be a string, but this is ${found}. Convert it with tostring.`,
  "never-equal": ({ operator, left, right }) =>
    `${left} and ${right} are never equal, so this is always ${operator === "==" ? "false" : "true"}. ${[left, right].some(isFlag) ? "Compare with a value of its own type, or with null." : "Convert one side with tostring or tonumber."}`,
  "no-such-value": ({ operator, value, values, suggestion }) =>
    `This can only be ${quoted(values)}, never "${value}", so the comparison is always ${operator === "==" ? "false" : "true"}.${suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`}`,
  "always-ordered": ({ operator, left, right, result }) =>
    `${left} ${operator} ${right} is always ${result}. Values of different types are ordered by type: every number comes before every string. Convert one side with tostring or tonumber.`,
};

const isFlag = (shown: string): boolean => shown === "true" || shown === "false";

const missingHelp = {
  read: "this is always null",
  has: "has is always false",
  del: "nothing is deleted",
  entry: "nothing is changed",
} as const;

const operatorHelp: ReadonlyMap<string, string> = new Map([
  ["+", "Numbers, strings, arrays and objects can be added to the same type, and null to anything."],
  ["-", "Numbers can be subtracted from numbers, and arrays from arrays."],
  ["*", "Numbers can be multiplied by numbers or strings, and objects by objects."],
  ["/", "Numbers can be divided by numbers, and strings by strings."],
  ["%", "Only numbers have a remainder."],
]);

/** Names that a message lists. */
const SHOWN_MEMBERS = 12;

function membersText(members: readonly string[]): string {
  if (members.length === 0) return "The object is empty.";
  const shown = members.slice(0, SHOWN_MEMBERS).map((name) => excerpt(name));
  return `Its members are ${shown.join(", ")}${members.length > SHOWN_MEMBERS ? ", …" : ""}.`;
}

function quoted(texts: readonly string[]): string {
  const [last, ...others] = texts.map((text) => `"${text}"`).reverse();
  return others.length === 0 ? `${last}` : `${others.reverse().join(", ")} or ${last}`;
}

function listed(items: readonly string[]): string {
  if (items.length === 0) return "nothing";
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
}
