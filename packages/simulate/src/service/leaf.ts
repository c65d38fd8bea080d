import { evaluate, type Json } from "@configc/jq";
import type { Hypotheses } from "../world/hypotheses.ts";
import type { ServiceRecord, Version } from "./collection.ts";
import { put } from "./json.ts";
import { birthNames, changeNames, creationNames, hasWord, timeNames } from "./names.ts";
import type { Leaf, Shape, TimeFormat } from "./shape.ts";

/** Of whom a value tells, and how. */
export interface Telling {
  readonly record: ServiceRecord;
  readonly version: Version;
  readonly format: TimeFormat;
  readonly hypotheses: Pick<Hypotheses, "gaps" | "texts" | "rounding">;
  /** Whether an email address says which version it is of: nothing else does. */
  readonly isOnlyEmail: boolean;
  /** How it is called where it is no record: a hook, an account. */
  readonly called?: string;
}

/** The mark by which a version is known wherever its texts come. */
function markOf({ record, version, called }: Pick<Telling, "record" | "version" | "called">): string {
  return called ?? `r${record.number}v${version.number}`;
}

/** Marks of records and versions in a text. */
export const MARK = /\br(\d+)(?:v(\d+))?(?!\d)/g;

/** Whether a name is that of a time. */
export function isTimeName(name: string): boolean {
  return hasWord(name, timeNames) || hasWord(name, changeNames) || hasWord(name, creationNames);
}

/** Telephone numbers of records in a text, however they are written. */
export const PHONE = /(?<!\d)1555(\d{7})(?!\d)/g;

/** A value of a shape, as it tells of a version of a record. */
export function tell(shape: Shape, telling: Telling, name = ""): Json {
  if ((shape.kind === "object" || shape.kind === "list") && isNull(shape, telling, name)) return null;
  switch (shape.kind) {
    case "object":
      return Object.fromEntries(
        Object.entries(shape.members)
          .filter(([key, member]) => !isLeftOut(member, telling, key))
          .map(([key, member]) => [key, tell(member, telling, key)]),
      );
    case "list":
      return itemsOf(shape, telling, name);
    default:
      return tellLeaf(shape, telling, name);
  }
}

/** The items of a list: one of each kind, where programs look for several. */
function itemsOf({ item, least }: Extract<Shape, { kind: "list" }>, telling: Telling, name: string): Json {
  const kinds = item.kind === "object" ? kindsIn(item.members) : undefined;
  if (kinds === undefined) return Array.from({ length: least }, () => tell(item, telling, name));
  const { member, choices } = kinds;
  const { number } = telling.record;
  // Now and then there is one of another kind.
  const all = number % 5 === 4 ? [`other ${member}`, ...choices] : choices;
  return Array.from({ length: Math.max(least, all.length) }, (_, index) =>
    put(tell(item, telling, name), [member], all[index % all.length]!),
  );
}

/** The member that tells items apart, with what programs look for: `phones[] | select(.kind == "mobile")`. */
function kindsIn(
  members: Readonly<Record<string, Shape>>,
): { readonly member: string; readonly choices: readonly string[] } | undefined {
  for (const [member, shape] of Object.entries(members)) {
    if (shape.kind !== "text" || !shape.isOpen || shape.choices.length < 2) continue;
    const choices = shape.choices.filter((choice) => typeof choice === "string");
    if (choices.length === shape.choices.length) return { member, choices };
  }
  return undefined;
}

/** Of one record some members are there and others aren't. */
function turnOf({ number }: ServiceRecord, name: string): number {
  return (number + name.length) % 3;
}

function isLeftOut(shape: Shape, { hypotheses, record }: Telling, name: string): boolean {
  if ("isRare" in shape && shape.isRare) return record.number % 5 !== 4;
  const { isNullable = false, isOmitted = false } = shape;
  const { gaps } = hypotheses;
  if (!(isNullable || isOmitted) || gaps === false || gaps === "null") return false;
  return gaps === "absent" || turnOf(record, name) === 2;
}

/** Whether null stands where an object or a list may be. */
function isNull(
  { isNullable = false }: Shape,
  { hypotheses: { gaps }, record }: Telling,
  name: string,
): boolean {
  return isNullable && (gaps === "null" || (gaps === true && turnOf(record, name) === 1));
}

function tellLeaf(leaf: Leaf, telling: Telling, name: string): Json {
  const told = tellPlain(leaf, telling, name);
  return leaf.encoding === undefined || typeof told !== "string"
    ? told
    : (evaluate(`@${leaf.encoding}`, told)[0] ?? "");
}

function tellPlain(leaf: Leaf, telling: Telling, name: string): Json {
  const { record, version, hypotheses, isOnlyEmail } = telling;
  const { number } = record;
  const id = telling.called ?? `r${number}`;
  const { gaps } = hypotheses;
  if (gaps === "null" || (gaps === true && turnOf(record, name) === 1)) {
    if (leaf.isNullable) return null;
    if (leaf.isBlankable) return "";
  }
  const { choices, isOpen, format, patterns } = leaf;
  const at = hasWord(name, birthNames) ? BIRTH : leaf.isFuture === true ? version.at + AHEAD : version.at;
  if (format !== undefined) return timeAs(format, rounded(at, hypotheses.rounding));
  const looks = patterns === undefined ? undefined : textThatFits(patterns, at);
  if (looks !== undefined) return looks;
  if (choices.length > 0 && leaf.kind !== "time" && leaf.kind !== "epoch") {
    const first = choices[0]!;
    if (!isOpen) return choices[number % choices.length]!;
    if (typeof first === "boolean") return number % 5 === 4 ? !first : first;
    // Mostly what the programs look for, and now and then something else.
    return number % 5 === 4
      ? typeof first === "number"
        ? first + 1
        : `other ${name}`
      : choices[number % choices.length]!;
  }
  if (leaf.separator !== undefined && leaf.kind !== "number")
    return leaf.separator === ""
      ? `${number}`
      : Array.from({ length: 3 }, () => `${number}`).join(leaf.separator);
  switch (leaf.kind) {
    case "id":
      return id;
    case "number":
      return number;
    case "boolean":
      return true;
    case "email":
      return isOnlyEmail ? `${markOf(telling)}@example.com` : `${id}@example.com`;
    case "phone":
      return `+1555${String(number).padStart(7, "0")}`;
    case "url":
      return `https://service.example/${name}/${id}`;
    case "time":
      return writeTime(at, leaf.written ?? telling.format, hypotheses.rounding);
    case "epoch":
      return leaf.written === "epoch-milliseconds"
        ? rounded(at, hypotheses.rounding)
        : Math.floor(at / 1_000);
    case "parsed":
      return leaf.inner === undefined ? "{}" : JSON.stringify(tell(leaf.inner, telling, name));
    default:
      switch (leaf.isCode === true ? "plain" : hypotheses.texts) {
        case "foreign":
          return `${name} ${markOf(telling)} Łódź 東京 — “é\u0301”`;
        case "long":
          return `${name} ${markOf(telling)} ${LONG}`;
        default:
          return `${name} ${markOf(telling)}`.trim();
      }
  }
}

/** The day on which everybody was born. */
const BIRTH = Date.UTC(1985, 5, 15, 8);
/** How far ahead what is to come lies. */
const AHEAD = 30 * 86_400_000;

/** The first of some usual texts that is as programs take it apart. */
function textThatFits(patterns: readonly string[], at: number): string | undefined {
  const iso = new Date(at).toISOString();
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  const [year, month, day] = date.split("-");
  const usual = [
    iso,
    `${date}T${time}Z`,
    `${date}T${time}+00:00`,
    `${date}T${time}+0000`,
    `${date} ${time}`,
    date,
    `${day}.${month}.${year}`,
    `${day}/${month}/${year}`,
    time,
    time.slice(0, 5),
    "12.50",
    "12,50",
    "12",
    "EUR 12.50",
    "A-12",
  ];
  return usual.find((text) =>
    patterns.every((pattern) => {
      try {
        return evaluate(`test(${JSON.stringify(pattern)})`, text)[0] === true;
      } catch {
        return false;
      }
    }),
  );
}

/** Longer than a column of a table, with what has to be escaped in it. */
const LONG = 'A note that goes on & on: <b>"é"</b>, 100 % of it.\\n'.repeat(200);

const formatted = new Map<string, Json>();

/** A time as `strftime` writes it. */
function timeAs(format: string, at: number): Json {
  const key = `${Math.floor(at / 1_000)} ${format}`;
  let text = formatted.get(key);
  if (text === undefined) {
    text = evaluate(`strftime(${JSON.stringify(format)})`, Math.floor(at / 1_000))[0] ?? "";
    if (formatted.size < MOST_KEPT) formatted.set(key, text);
  }
  return text;
}

/** Times that are kept as text. */
const MOST_KEPT = 10_000;

/** Whether a record of this shape tells its version by its email address alone. */
export function hasText(shape: Shape): boolean {
  switch (shape.kind) {
    case "object":
      return Object.values(shape.members).some(hasText);
    case "list":
      return hasText(shape.item);
    default:
      return shape.kind === "text" && shape.choices.length === 0;
  }
}

export function rounded(at: number, rounding: number): number {
  return Math.floor(at / rounding) * rounding;
}

export function writeTime(at: number, format: TimeFormat, rounding: number): Json {
  const time = rounded(at, rounding);
  const iso = new Date(time).toISOString();
  switch (format) {
    case "iso":
      return iso;
    case "iso-seconds":
      return `${iso.slice(0, 19)}Z`;
    case "iso-minutes":
      return `${iso.slice(0, 16)}Z`;
    case "epoch":
      return Math.floor(time / 1_000);
    case "epoch-milliseconds":
      return time;
    case "date":
      return iso.slice(0, 10);
    case "plain":
      return iso.slice(0, 19).replace("T", " ");
  }
}

/** The format of which an example is; undefined where it is none. */
export function formatOf(example: Json | undefined): TimeFormat | undefined {
  if (typeof example === "number")
    return example > 1e11 ? "epoch-milliseconds" : example > 1e8 ? "epoch" : undefined;
  if (typeof example !== "string") return undefined;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+/.test(example)) return "iso";
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(example)) return "iso-seconds";
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(example)) return "plain";
  return /^\d{4}-\d\d-\d\d$/.test(example) ? "date" : undefined;
}

/** Milliseconds since 1970 of a time in whatever format; undefined where a text is none. */
export function readTime(text: string): number | undefined {
  if (/^-?\d+(\.\d+)?$/.test(text)) {
    const number = Number(text);
    return Math.abs(number) > 1e11 ? number : number * 1_000;
  }
  const plain = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text)
    ? `${text.replace(" ", "T")}Z`
    : text;
  const time = Date.parse(plain);
  return Number.isNaN(time) ? undefined : time;
}
