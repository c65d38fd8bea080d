import { isKind, type Outputs, type TextValue, UNKNOWN, type Value } from "../value.ts";
import { type AnyOutputs, type Call, firstArgument, type OneOutput } from "./builtin.ts";
import { captured, scanned } from "./fields.ts";

export const texts: OneOutput = {
  split,
  ltrimstr,
  sub,
  rtrimstr: unchanged,
  gsub,
  startswith,
  contains,
  inside: (call) => (call.known === "" && isText(firstArgument(call) ?? UNKNOWN) ? true : UNKNOWN),
  endswith: ({ known, first, input }) => (first?.(input)?.[0] === "" && isText(known) ? true : UNKNOWN),
  test,
  ascii_downcase: ({ known }) => inLetters(known, "lower"),
  ascii_upcase: ({ known }) => inLetters(known, "upper"),
  fromjson,
  tostring,
  tojson,
};

export const textStreams: AnyOutputs = { capture };

/** Builtins that give one item of a list after the other. */
export const streamedLists: OneOutput = { splits, scan };

/** What it does to a text that is known in part leaves what is known of it. */
function unchanged({ known }: Call): Value {
  return isKind(known, "text") ? known : UNKNOWN;
}

function inLetters(known: Value, letters: "lower" | "upper"): Value {
  if (typeof known === "string") return letters === "lower" ? known.toLowerCase() : known.toUpperCase();
  return isKind(known, "text") ? { ...known, letters } : UNKNOWN;
}

function split(call: Call): Value {
  const { known } = call;
  const separator = firstArgument(call);
  // What stands for a token isn't written as a token of some service is.
  if (
    typeof known === "string" &&
    typeof separator === "string" &&
    separator !== "" &&
    known.includes(separator)
  )
    return { kind: "list", items: known.split(separator) };
  // An empty text has no parts.
  if (known === "" && separator !== undefined && separator !== "") return { kind: "list", items: [] };
  // What is behind some text in a link is what leads to the page.
  if (isToken(known)) return { kind: "list", items: [UNKNOWN, known] };
  if (!isKind(known, "text")) return UNKNOWN;
  if (known.field !== undefined) return { kind: "list", items: known.field };
  if (known.fields === undefined) return UNKNOWN;
  const { fields, ...plain } = known;
  return { kind: "unknown", entries: written(fields), plain };
}

/** `t=1` and `v1=2` of `t=1,v1=2`. */
function written(fields: ReadonlyMap<string, Value>): readonly Value[] {
  return [...fields].map((field) => ({ kind: "text", of: [], label: undefined, isOther: false, field }));
}

/** What stands for a token, or for a link that has one in it. */
const isToken = (known: Value): known is string => typeof known === "string" && /^after \d$/.test(known);

function capture(call: Call): Outputs {
  const { known } = call;
  const pattern = isToken(known) ? firstArgument(call) : undefined;
  const [group, ...others] = typeof pattern === "string" ? pattern.matchAll(/\(\?<(\w+)>/g) : [];
  // What is taken out of a link to the next page leads there.
  if (group !== undefined && others.length === 0)
    return [{ kind: "record", members: new Map([[group[1]!, known]]), open: false }];
  // Of a text without anything in it, as where there is no link, nothing is captured that wants a character.
  if (known === "") return wantsCharacter(firstArgument(call)) ? [] : undefined;
  const groups = isKind(known, "text") ? captured(known, firstArgument(call)) : undefined;
  return groups === undefined ? undefined : [groups];
}

function splits(call: Call): Value {
  // Other than `split`, it gives an empty text of an empty one.
  return call.known === ""
    ? { kind: "list", items: [""] }
    : call.second === undefined
      ? split(call)
      : UNKNOWN;
}

function scan(call: Call): Value {
  const pattern = firstArgument(call);
  if (call.known === "") return wantsCharacter(pattern) ? { kind: "list", items: [] } : UNKNOWN;
  return scanned(call.known, pattern);
}

/** Whether a constant pattern certainly doesn't fit an empty text: it has a literal beside its groups and classes. */
function wantsCharacter(pattern: Value | undefined): boolean {
  if (typeof pattern !== "string") return false;
  const plain = pattern.replace(/\(\?<\w+>[^()]*\)[?*]?|\[[^\]]*\][?*+]?|\((?:\\.|[^()\\])*\)[?*]?/g, "()");
  return !plain.includes("|") && /(?:^|[^\\(?*{<])[\w=/&](?![?*{\w>])/.test(plain);
}

function ltrimstr(call: Call): Value {
  return withoutStart(call.known, firstArgument(call));
}

/** Where it takes a constant off the beginning, such as `sub("^sha256="; "")`. */
function sub(call: Call): Value {
  const pattern = firstArgument(call);
  const isName = typeof pattern === "string" && /^\^?(?:\.|\\w|\[\^=\]|\[\w-]+\])[+*]\??=$/.test(pattern);
  if (isName && isKind(call.known, "text") && call.known.field !== undefined) return call.known.field[1];
  const isStart = typeof pattern === "string" && /^\^[\w=:.-]+$/.test(pattern);
  if (!isStart && isKind(call.known, "text")) return anyBeginning(call.known);
  return withoutStart(call.known, isStart ? pattern.slice(1) : undefined);
}

/** A text without the characters that are replaced stays as it is: `gsub(","; ".")` of a number. */
function gsub(call: Call): Value {
  const { known } = call;
  if (isKind(known, "text")) return anyBeginning(known);
  const pattern = firstArgument(call);
  const isKept = typeof known === "string" && typeof pattern === "string" && /^[,;:_' -]$/.test(pattern);
  return isKept && !known.includes(pattern) ? known : UNKNOWN;
}

/** A text of which it isn't known any more what stands before it. */
function anyBeginning(text: TextValue): TextValue {
  if (text.before === undefined) return text;
  const { before: _, isWhole: __, ...rest } = text;
  return rest;
}

/** A text without what it begins with, as far as that is known. */
function withoutStart(text: Value, start: Value | undefined): Value {
  if (typeof text === "string" && typeof start === "string")
    return text.startsWith(start) ? text.slice(start.length) : text;
  if (!isKind(text, "text")) return UNKNOWN;
  if (typeof start !== "string") return text;
  if (text.partOf !== undefined) return text.partOf.get(start.replace(/=$/, "")) ?? UNKNOWN;
  if (text.field !== undefined) return start === `${text.field[0]}=` ? text.field[1] : text;
  const { before = "" } = text;
  if (before.startsWith(start)) return { ...text, before: before.slice(start.length) };
  return before === "" && !text.isWhole ? { ...text, without: start } : text;
}

function startswith(call: Call): Value {
  const { known } = call;
  const start = firstArgument(call);
  if (typeof start !== "string") return UNKNOWN;
  if (start === "" && isText(known)) return true;
  if (typeof known === "string") return known.startsWith(start);
  return isKind(known, "text") && known.field !== undefined ? beginsWith(known.field[0], start) : UNKNOWN;
}

const isText = (value: Value): boolean => typeof value === "string" || isKind(value, "text");

function contains(call: Call): Value {
  return holds(call.known, firstArgument(call));
}

/** Where the pattern is a constant, at the beginning or anywhere, or the text is empty. */
function test(call: Call): Value {
  const pattern = firstArgument(call);
  if (pattern === "" && isText(call.known)) return true;
  if (call.known === "" && typeof pattern === "string" && call.second === undefined) return fits(pattern, "");
  const said = isKind(call.known, "text") ? call.known.says : undefined;
  if (
    said !== undefined &&
    "number" in said &&
    typeof pattern === "string" &&
    /^\^?(?:\[0-9\]|\\d)\+\$?$/.test(pattern)
  )
    return fits(pattern, String(said.number));
  const [, start, constant] =
    (typeof pattern === "string" ? /^(\^?)([\w=:-]+)$/.exec(pattern) : undefined) ?? [];
  return start === "^" ? startswith({ ...call, first: () => [constant!] }) : holds(call.known, constant);
}

/** Whether a pattern fits a text that is empty, or one number: on that, none takes long. */
function fits(pattern: string, text: string): Value {
  try {
    return new RegExp(pattern).test(text);
  } catch {
    // Patterns of jq have forms that these haven't.
    return UNKNOWN;
  }
}

/** Whether a text has another in it; of `t=1` the name and the sign are known. */
function holds(text: Value, part: Value | undefined): Value {
  if (typeof part !== "string") return UNKNOWN;
  if (part === "" && isText(text)) return true;
  if (typeof text === "string") return text.includes(part);
  return isKind(text, "text") && text.field !== undefined && `${text.field[0]}=`.includes(part)
    ? true
    : UNKNOWN;
}

/** Whether `NAME=…` begins with a text. */
function beginsWith(name: string, start: string): Value {
  if (`${name}=`.startsWith(start)) return true;
  return start.startsWith(`${name}=`) ? UNKNOWN : false;
}

function fromjson({ known }: Call): Value {
  // What is written anew has other blanks and another order.
  return isKind(known, "text")
    ? { ...known, of: known.of.map((part) => part.replace(/^raw_/, "")) }
    : UNKNOWN;
}

function tostring({ known }: Call): Value {
  if (known === null) return "null";
  if (isKind(known, "text") || typeof known === "string") return known;
  return typeof known === "number" || typeof known === "boolean" ? `${known}` : UNKNOWN;
}

function tojson({ known }: Call): Value {
  // Written as JSON, a text has quotes around it.
  if (isKind(known, "text") && known.of.includes("raw_body"))
    return { kind: "text", of: ["JSON of raw_body"], label: undefined, isOther: true };
  if (isKind(known, "text")) return known;
  return typeof known === "number" || typeof known === "boolean" ? `${known}` : UNKNOWN;
}
