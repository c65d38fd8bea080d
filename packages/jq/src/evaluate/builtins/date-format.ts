import { memoize } from "../../memoize.ts";
import { bytes, countMade } from "../meter.ts";
import type { DateTime } from "./date-time.ts";
import { dateTimeAt, secondsOf } from "./date-time.ts";

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export { months as monthNames, weekdays as weekdayNames };

interface Zone {
  /** Minutes east of Greenwich. */
  readonly offset: number;
  readonly zoneName: string;
}

/** A conversion: its text, or a number with its width and what fills it. */
type Part = string | readonly [value: number, width: number, fill?: "0" | " "];

const short = (name: string | undefined): string => name?.slice(0, 3) ?? "?";

/** The conversions of C's `strftime` and the usual extensions, in the C locale. */
const conversions: Readonly<Record<string, (at: DateTime, zone: Zone) => Part>> = {
  a: ({ weekday }) => short(weekdays[weekday]),
  A: ({ weekday }) => weekdays[weekday] ?? "?",
  b: ({ month }) => short(months[month]),
  B: ({ month }) => months[month] ?? "?",
  h: ({ month }) => short(months[month]),
  C: ({ year }) => [Math.floor(year / 100), 2],
  d: ({ day }) => [day, 2],
  e: ({ day }) => [day, 2, " "],
  g: (at) => [modulo(isoWeek(at).year, 100), 2],
  G: (at) => [isoWeek(at).year, 4],
  H: ({ hours }) => [hours, 2],
  I: ({ hours }) => [hours % 12 || 12, 2],
  j: ({ yearDay }) => [yearDay + 1, 3],
  k: ({ hours }) => [hours, 2, " "],
  l: ({ hours }) => [hours % 12 || 12, 2, " "],
  m: ({ month }) => [month + 1, 2],
  M: ({ minutes }) => [minutes, 2],
  n: () => "\n",
  p: ({ hours }) => (hours < 12 ? "AM" : "PM"),
  P: ({ hours }) => (hours < 12 ? "am" : "pm"),
  s: (at, { offset }) => String(secondsOf(at) - offset * 60),
  S: ({ seconds }) => [seconds, 2],
  t: () => "\t",
  u: ({ weekday }) => String(weekday || 7),
  U: ({ yearDay, weekday }) => [Math.floor((yearDay + 7 - weekday) / 7), 2],
  V: (at) => [isoWeek(at).week, 2],
  w: ({ weekday }) => String(weekday),
  W: ({ yearDay, weekday }) => [Math.floor((yearDay + 7 - ((weekday + 6) % 7)) / 7), 2],
  y: ({ year }) => [modulo(year, 100), 2],
  Y: ({ year }) => [year, 4],
  z: (_at, { offset }) => {
    const size = Math.abs(offset);
    return `${offset < 0 ? "-" : "+"}${pad(Math.floor(size / 60), 2)}${pad(size % 60, 2)}`;
  },
  Z: (_at, { zoneName }) => zoneName,
  "%": () => "%",
};

/** Conversions that stand for several. */
const shorthands: Readonly<Record<string, string>> = {
  c: "%a %b %e %H:%M:%S %Y",
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  r: "%I:%M:%S %p",
  R: "%H:%M",
  T: "%H:%M:%S",
  v: "%e-%b-%Y",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
  "+": "%a %b %e %H:%M:%S %Z %Y",
};

export { shorthands as dateShorthands };

const conversion = /%([-_0^#]*)([0-9]{0,3})[EO]?([a-zA-Z%+])/g;

/** A conversion of a format, as it is written. */
interface Conversion {
  readonly letter: string;
  readonly flags: string;
  readonly width: string;
  readonly part: (at: DateTime, zone: Zone) => Part;
}

/** A time as text in a format of C's `strftime`. What isn't a conversion stays as it is. */
export function formatDate(format: string, at: DateTime, zone: Zone): string {
  let text = "";
  for (const piece of piecesOf(format))
    text += typeof piece === "string" ? piece : converted(piece, at, zone);
  return text;
}

const piecesOf = memoize((format): readonly (string | Conversion)[] => {
  const pieces: (string | Conversion)[] = [];
  let end = 0;
  for (const { 0: whole, 1: flags = "", 2: width = "", 3: letter = "", index } of format.matchAll(
    conversion,
  )) {
    const part = partOf(letter);
    if (part === undefined) continue;
    if (index > end) pieces.push(format.slice(end, index));
    pieces.push({ letter, flags, width, part });
    end = index + whole.length;
  }
  if (end < format.length) pieces.push(format.slice(end));
  return pieces;
}, 100);

function partOf(letter: string): Conversion["part"] | undefined {
  const shorthand = Object.hasOwn(shorthands, letter) ? shorthands[letter] : undefined;
  if (shorthand !== undefined) return (at, zone) => formatDate(shorthand, at, zone);
  return Object.hasOwn(conversions, letter) ? conversions[letter] : undefined;
}

function converted({ letter, flags, width, part: partAt }: Conversion, at: DateTime, zone: Zone): string {
  const part = partAt(at, zone);
  if (width !== "") countMade(Number(width) * bytes.character);
  let text: string;
  if (typeof part === "string") text = width === "" ? part : part.padStart(Number(width), fillOf(flags, " "));
  else {
    const [value, usual, fill = "0"] = part;
    text = flags.includes("-") ? String(value) : pad(value, Number(width || usual), fillOf(flags, fill));
  }
  if (flags.includes("^")) return text.toUpperCase();
  if (!flags.includes("#")) return text;
  // Zones and halves of the day become lower case, names upper case.
  return letter === "Z" || letter === "p" ? text.toLowerCase() : text.toUpperCase();
}

function fillOf(flags: string, usual: "0" | " "): "0" | " " {
  return flags.includes("_") ? " " : flags.includes("0") ? "0" : usual;
}

function pad(value: number, width: number, fill: "0" | " " = "0"): string {
  const sign = value < 0 ? "-" : "";
  return sign + String(Math.abs(value)).padStart(width - sign.length, fill);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** The week of ISO 8601, and the year that it belongs to: that of its Thursday. */
function isoWeek(at: DateTime): { readonly year: number; readonly week: number } {
  const thursday = dateTimeAt((secondsOf(at) + (3 - ((at.weekday + 6) % 7)) * 86_400) * 1000);
  if (thursday === undefined) return { year: at.year, week: 1 };
  return { year: thursday.year, week: Math.floor(thursday.yearDay / 7) + 1 };
}
