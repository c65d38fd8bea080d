/**
 * A value that is known in part. Evaluating with such values tells what a program certainly does, whatever the rest is: of `if UNKNOWN then 1
 * else 1 end` it is 1.
 */
export type Value = null | boolean | number | string | Unknown | ListValue | RecordValue | Part | TextValue;

/** The outputs of an expression; undefined where it isn't known how many there are. */
export type Outputs = readonly Value[] | undefined;

/** Nothing is known of it. */
export interface Unknown {
  readonly kind: "unknown";
  /** Some of its items, where it is a list whose order and length aren't known. */
  readonly entries?: readonly Value[];
  /** What each of its items is instead, where the text that it was split from is written in another way: `SIGNATURE,SIGNATURE`. */
  readonly plain?: Value;
  /** The number that it is where it is taken for one. */
  readonly number?: number;
  /** It is a number. */
  readonly isNumber?: true;
  /** The constants of which it is one. */
  readonly oneOf?: readonly Constant[];
}

export type Constant = null | boolean | number | string;

export const A_NUMBER: Unknown = { kind: "unknown", isNumber: true };

export const UNKNOWN: Unknown = { kind: "unknown" };

/** Where a record stands on its page. */
export type Place = "first" | "between" | "last" | "only";

/** A member of a record of a list. */
export interface Origin {
  readonly name: string;
  /** Of the record's page, from 0. */
  readonly page: number;
  readonly place: Place;
}

/** A text of which only is known what it is made of. */
export interface TextValue {
  readonly kind: "text";
  readonly of: readonly string[];
  /** Texts with one label are the same, but for constants around them. */
  readonly label: string | undefined;
  /** Whether it is none of the constants that it may be compared with. */
  readonly isOther: boolean;
  /** Constants before and behind what has the label. */
  readonly before?: string;
  readonly behind?: string;
  /** Whether what has the label is known whole: a header may have a prefix of its own. */
  readonly isWhole?: boolean;
  /** What was cut off its beginning, if it was there. */
  readonly without?: string;
  /** How its letters are written. */
  readonly letters?: "lower" | "upper";
  /** What it certainly begins with, where nothing else is known of it. */
  readonly starts?: string;
  /** What it says by name, where it is written as `t=1,v1=2`. */
  readonly fields?: ReadonlyMap<string, Value>;
  /** The name and value of what is written as `t=1`. */
  readonly field?: readonly [string, Value];
  /** What is written as `t=1,v1=2`, of which it is one part: its name isn't known. */
  readonly partOf?: ReadonlyMap<string, Value>;
  /** Of a hash the parts of what was hashed: it is equal to none of them. */
  readonly hashed?: readonly string[];
  /** The member of a record that it is. */
  readonly origin?: Origin;
  /** The number that it writes, or the time that its date is, in seconds. */
  readonly says?: { readonly number: number } | { readonly date: number };
}

export interface ListValue {
  readonly kind: "list";
  readonly items: readonly Value[];
}

export interface RecordValue {
  readonly kind: "record";
  readonly members: ReadonlyMap<string, Value>;
  /** It may have others, of which nothing is known. */
  readonly open: boolean;
  /** Names that it certainly doesn't have, although it is open. */
  readonly absent?: ReadonlySet<string>;
}

class EveryName extends Set<string> {
  override has(): boolean {
    return true;
  }
}

/** Of a record whose names are values that no constant is, such as a hash: no name that a program has is in it. */
export const EVERY_NAME: ReadonlySet<string> = new EveryName();

/** Whether a value, taken for a member's name, is none that a program has as a constant. */
export const isStrangeName = (name: Value): boolean =>
  isKind(name, "text") && name.field === undefined && (name.isOther || name.says !== undefined);

/** A part of something outside, as a response: what it is is asked when it counts. */
export interface Part {
  readonly kind: "part";
  /** Members by name, `[]` for an item. */
  readonly path: readonly string[];
  readonly source: Source;
}

/** What the parts of something outside are. */
export interface Source {
  /** Whether it is the answer to a request for a list, of which all is known that counts. */
  readonly isAnswer?: true;
  /** Whether it certainly is an object: with further members it is the same one. */
  readonly isObject?: true;
  /** What a part is, as far as that is known; a list for one whose length is. */
  resolve(path: readonly string[]): Value;
  /** Whether a part isn't there, rather than null. */
  isAbsent?(path: readonly string[]): boolean;
  /** Whether a part certainly is there, and neither null nor false, whatever it is. */
  isThere?(path: readonly string[]): boolean;
  /** The items of a part that a program takes for a list; undefined where it isn't known how many there are. */
  itemsAt?(path: readonly string[]): readonly Value[] | undefined;
}

/** A number, also where it may be something else but is taken for one. */
export const numberOf = (value: Value): Value =>
  isKind(value, "unknown") && value.number !== undefined ? value.number : value;

/** A value, looked up where it is a part of something outside. */
export function resolved(value: Value): Value {
  return isKind(value, "part") ? value.source.resolve(value.path) : value;
}

export function isKind<K extends "list" | "record" | "part" | "text" | "unknown">(
  value: Value,
  kind: K,
): value is Extract<Value, { kind: K }> {
  return typeof value === "object" && value !== null && value.kind === kind;
}

/** A list of which only some items are known is there. */
function isUnknown(value: Value): boolean {
  return isKind(value, "unknown") && value.entries === undefined;
}

/** A member of a value (`null` where there is none). */
export function memberOf(value: Value, name: string): Value {
  if (isKind(value, "part")) return { ...value, path: [...value.path, name] };
  if (isKind(value, "record")) {
    const member = value.members.get(name);
    if (member !== undefined) return member;
    return value.open && value.absent?.has(name) !== true ? UNKNOWN : null;
  }
  return value === null ? null : UNKNOWN;
}

/** A value with another member at a path below it; unknown where it is no object for certain. */
export function withMember(
  value: Value,
  [name, ...rest]: readonly string[],
  change: (before: Value) => Value,
): Value {
  if (name === undefined) return change(value);
  const known = resolved(value);
  const own: RecordValue | undefined =
    known === null
      ? { kind: "record", members: new Map(), open: false }
      : isKind(known, "record")
        ? known
        : undefined;
  if (own === undefined) return UNKNOWN;
  return {
    ...own,
    members: new Map([...own.members, [name, withMember(memberOf(own, name), rest, change)]]),
  };
}

/** The items of a value; undefined where it isn't known how many there are. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  const list = resolved(value);
  if (isKind(list, "list")) return list.items;
  if (isKind(value, "part") && list === UNKNOWN) return value.source.itemsAt?.(value.path);
  return isKind(list, "record") && !list.open ? [...list.members.values()] : undefined;
}

/** What is in a list of which only some items are known. */
export function entriesOf(value: Value): readonly Value[] | undefined {
  return isKind(value, "unknown") ? value.entries : undefined;
}

/** Whether a value counts as true; undefined where that isn't known. */
export function isTrue(value: Value): boolean | undefined {
  if (isSomething(value)) return true;
  const known = resolved(value);
  if (isUnknown(known)) return (known as Unknown).isNumber;
  return known !== null && known !== false;
}

/** Whether a value is there, whatever it is. */
const isSomething = (value: Value): boolean =>
  isRecordOfPage(value) || (isKind(value, "part") && value.source.isThere?.(value.path) === true);

/** Whether a value is the first, the last or the only record of a page, whatever is in it. */
const isRecordOfPage = (value: Value): boolean =>
  isKind(value, "part") && /^\[(?:first|last|only)\]$/.test(value.path.at(-1) ?? "");

/**
 * What is either of two values.
 *
 * @param keepsBoth whether of constants is kept which they are
 */
export function either(a: Value, b: Value, keepsBoth = false): Value {
  if (areEqual(a, b)) return a;
  if (!isKind(a, "record") || !isKind(b, "record")) {
    const [some, others] = keepsBoth ? [constantsOf(a), constantsOf(b)] : [];
    if (some === undefined || others === undefined) return UNKNOWN;
    return { kind: "unknown", oneOf: [...new Set([...some, ...others])] };
  }
  const names = [...new Set([...a.members.keys(), ...b.members.keys()])];
  const members = names.map(
    (name) => [name, either(memberOf(a, name), memberOf(b, name), keepsBoth)] as const,
  );
  return { kind: "record", members: new Map(members), open: a.open || b.open };
}

/** The constants of which a value is one; undefined where it may be anything else. */
export function constantsOf(value: Value): readonly Constant[] | undefined {
  if (value === null || typeof value !== "object") return [value];
  return isKind(value, "unknown") ? value.oneOf : undefined;
}

/** Whether two values are certainly the same; false where that isn't known. */
export function areEqual(a: Value, b: Value): boolean {
  return compare(a, b) === 0;
}

/** How two values are ordered in jq; undefined where that isn't known. */
export function compare(first: Value, second: Value): number | undefined {
  if (second === null && isSomething(first)) return 1;
  if (first === null && isSomething(second)) return -1;
  if (isKind(first, "part") && isKind(second, "part") && first.source === second.source)
    if (isSamePath(first.path, second.path)) return 0;
  const a = besideList(first, second);
  const b = besideList(second, first);
  if (isNumber(a) || isNumber(b)) {
    const [other, sign] = isNumber(a) ? [b, 1] : [a, -1];
    const isClear = !isKind(other, "unknown") && !isOpaque(other) && typeof other !== "number";
    return isClear ? sign * (rankOf(0) - rankOf(other)) : undefined;
  }
  if (isKind(a, "unknown")) return a.number !== undefined && typeof b === "number" ? a.number - b : undefined;
  if (isKind(b, "unknown")) return b.number !== undefined && typeof a === "number" ? a - b.number : undefined;
  const rankA = rankOf(a);
  const rankB = rankOf(b);
  // What only is there may be of any kind.
  if (rankA !== rankB)
    return (isOpaque(a) && b !== null) || (isOpaque(b) && a !== null) ? undefined : rankA - rankB;
  if (isKind(a, "text")) return compareText(a, b);
  if (isKind(b, "text")) return compareText(b, a);
  if (typeof a === "number" || typeof a === "string")
    return a < (b as typeof a) ? -1 : a > (b as typeof a) ? 1 : 0;
  if (a === null || typeof a === "boolean") return 0;
  if (isKind(a, "list") && isKind(b, "list")) {
    if (a.items.length !== b.items.length) {
      return a.items.length === 0 || b.items.length === 0 ? a.items.length - b.items.length : undefined;
    }
    return a.items.every((item, index) => areEqual(item, b.items[index]!)) ? 0 : undefined;
  }
  if (!isKind(a, "record") || !isKind(b, "record") || a.open || b.open) return undefined;
  const isSame =
    a.members.size === b.members.size &&
    [...a.members].every(([name, value]) => b.members.has(name) && areEqual(value, b.members.get(name)!));
  return isSame ? 0 : undefined;
}

export const isSamePath = (one: readonly string[], other: readonly string[]): boolean =>
  one === other || (one.length === other.length && one.every((name, at) => name === other[at]));

const isNumber = (value: Value): boolean => isKind(value, "unknown") && value.isNumber === true;

const isOpaque = (value: Value): boolean =>
  isKind(value, "text") && !value.isOther && value.label !== SIGNATURE;

/** What is compared with a list is taken for one. */
function besideList(value: Value, other: Value): Value {
  const known = resolved(value);
  if (known !== UNKNOWN || !isKind(value, "part") || !isKind(other, "list")) return known;
  const items = itemsOf(value);
  return items === undefined ? UNKNOWN : { kind: "list", items };
}

/** A text isn't what a program has as a constant; whether a label is may be what the constant is for. */
function compareText(text: TextValue, other: Value): number | undefined {
  if (text.field !== undefined) return compareText(wholeField(text.field), other);
  if (isKind(other, "text") && other.field !== undefined) return compareText(text, wholeField(other.field));
  const { label, isOther } = text;
  if (!isKind(other, "text")) return (label === SIGNATURE && other !== "") || !isOther ? undefined : 1;
  if (label === undefined || other.label === undefined) return undefined;
  if (isHashOf(text, other) || isHashOf(other, text)) return 1;
  return label === other.label && mayBeSame(text, other) && mayBeSame(other, text) ? 0 : 1;
}

/** `t=1` as one text. */
function wholeField([name, value]: readonly [string, Value]): TextValue {
  const whole = madeOf([`${name}=`, value]);
  return whole !== undefined && isKind(whole, "text")
    ? whole
    : { kind: "text", of: [], label: undefined, isOther: false };
}

const isHashOf = ({ hashed }: TextValue, { of }: TextValue): boolean =>
  hashed !== undefined && of.length > 0 && of.every((part) => hashed.includes(part));

/** Whether two texts with one label may be the same by what stands around it. */
function mayBeSame(one: TextValue, other: TextValue): boolean {
  const { before = "", behind = "" } = one;
  if (one.letters !== undefined && other.letters !== undefined && one.letters !== other.letters) return false;
  if (!one.isWhole) return true;
  if (other.without !== undefined && before.startsWith(other.without)) return false;
  const [start, end] = [other.before ?? "", other.behind ?? ""];
  return other.isWhole
    ? before === start && behind === end
    : before.startsWith(start) && behind.endsWith(end);
}

/** The label of what proves that a delivery is genuine. */
export const SIGNATURE = "signature";

/** A text that is made of others, and of constants; undefined where some of them are no texts. */
export function madeOf(values: readonly Value[]): string | TextValue | undefined {
  const texts = values.map(resolved);
  if (texts.every((text) => typeof text === "string")) return texts.join("");
  const parts = texts.filter((text) => isKind(text, "text"));
  if (!texts.every((text) => typeof text === "string" || isKind(text, "text"))) return undefined;
  const of = parts.flatMap((text) => text.of);
  const [part, ...others] = parts;
  if (part === undefined || others.length > 0) return { kind: "text", of, label: undefined, isOther: true };
  const at = texts.indexOf(part);
  const [before, behind] = [texts.slice(0, at).join(""), texts.slice(at + 1).join("")];
  // `"${…}"` is what is pasted, and says the same time.
  if (before === "" && behind === "") return part;
  return {
    kind: "text",
    of,
    label: part.label,
    isOther: true,
    before: before + (part.before ?? ""),
    behind: (part.behind ?? "") + behind,
    ...(part.isWhole ? { isWhole: true } : {}),
    ...(part.letters === undefined ? {} : { letters: part.letters }),
    ...(part.hashed === undefined ? {} : { hashed: part.hashed }),
    ...(part.without === undefined || before !== "" ? {} : { without: part.without }),
  };
}

function rankOf(value: Value): number {
  if (value === null) return 0;
  if (typeof value === "boolean") return value ? 2 : 1;
  if (typeof value === "number") return 3;
  if (typeof value === "string" || isKind(value, "text")) return 4;
  return isKind(value, "list") ? 5 : 6;
}

/** What comes of each of some values; nearly all records of a page are the same one, in a row. */
export function each<T>(values: readonly Value[], give: (value: Value) => T): readonly T[] {
  const given: T[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    given.push(index > 0 && value === values[index - 1] ? given[index - 1]! : give(value));
  }
  return given;
}

/** The outputs of several, one behind the other. */
export function concat(all: readonly Outputs[]): Outputs {
  const [first] = all;
  if (all.length === 1) return first;
  const joined: Value[] = [];
  for (const outputs of all) {
    if (outputs === undefined) return undefined;
    for (const output of outputs) joined.push(output);
  }
  return joined;
}
