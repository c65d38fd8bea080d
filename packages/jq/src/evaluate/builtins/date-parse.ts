import { memoize } from "../../memoize.ts";
import { dateShorthands, monthNames, weekdayNames } from "./date-format.ts";
import { type DateTime, dateTime, dateTimeAt, instantOf } from "./date-time.ts";

/** What was read so far. */
interface Fields {
  year: number;
  month: number;
  day: number;
  hours: number;
  minutes: number;
  seconds: number;
  century?: number;
  yearOfCentury?: number;
  isAfternoon?: boolean;
  yearDay?: number;
  weekday?: number;
  sundayWeek?: number;
  mondayWeek?: number;
  epoch?: number;
}

/** Reads a conversion at a place of the text; gives the place after it, undefined if it doesn't fit. */
type Reader = (text: string, at: number, fields: Fields) => number | undefined;

function number(
  digits: number,
  least: number,
  most: number,
  set: (fields: Fields, value: number) => void,
): Reader {
  return (text, at, fields) => {
    let next = skipBlanks(text, at);
    const sign = text[next];
    if (sign === "+" || sign === "-") next++;
    const first = next;
    let value = 0;
    for (; next < first + digits; next++) {
      const digit = text.charCodeAt(next) - 0x30;
      // Also where the text has ended.
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    if (sign === "-") value = -value;
    if (next === first || value < least || value > most) return undefined;
    set(fields, value);
    return next;
  };
}

/** One of a list of names, whole or its first three letters, in any case. */
function name(names: readonly string[], set: (fields: Fields, index: number) => void): Reader {
  return (text, at, fields) => {
    const rest = text.slice(at, at + 9).toLowerCase();
    const index = names.findIndex((known) => rest.startsWith(known.slice(0, 3).toLowerCase()));
    if (index === -1) return undefined;
    set(fields, index);
    const whole = names[index]!;
    return at + (rest.startsWith(whole.toLowerCase()) ? whole.length : 3);
  };
}

function pattern(expression: RegExp, set: (fields: Fields, found: string) => void = () => {}): Reader {
  return (text, at, fields) => {
    expression.lastIndex = at;
    const found = expression.exec(text)?.[0];
    if (found === undefined) return undefined;
    set(fields, found);
    return at + found.length;
  };
}

const weekday = name(weekdayNames, (fields, value) => {
  fields.weekday = value;
});
const month = name(monthNames, (fields, value) => {
  fields.month = value;
});
const day = number(2, 1, 31, (fields, value) => {
  fields.day = value;
});
const hours = number(2, 0, 23, (fields, value) => {
  fields.hours = value;
  delete fields.isAfternoon;
});
const halfDayHours = number(2, 1, 12, (fields, value) => {
  fields.hours = value % 12;
});
const halfOfDay = pattern(/[ap]m/iy, (fields, found) => {
  fields.isAfternoon = found.toLowerCase() === "pm";
});
const isoYear = number(4, 0, 9999, () => {});

/** The conversions of C's `strptime` and the usual extensions, in the C locale. */
const readers: Readonly<Record<string, Reader>> = {
  a: weekday,
  A: weekday,
  b: month,
  B: month,
  h: month,
  C: number(2, 0, 99, (fields, value) => {
    fields.century = value;
  }),
  d: day,
  e: day,
  g: number(2, 0, 99, () => {}),
  G: isoYear,
  H: hours,
  k: hours,
  I: halfDayHours,
  l: halfDayHours,
  j: number(3, 1, 366, (fields, value) => {
    fields.yearDay = value - 1;
  }),
  m: number(2, 1, 12, (fields, value) => {
    fields.month = value - 1;
  }),
  M: number(2, 0, 59, (fields, value) => {
    fields.minutes = value;
  }),
  n: pattern(/\s*/y),
  t: pattern(/\s*/y),
  p: halfOfDay,
  P: halfOfDay,
  s: number(15, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, (fields, value) => {
    fields.epoch = value;
  }),
  S: number(2, 0, 61, (fields, value) => {
    fields.seconds = value;
  }),
  u: number(1, 1, 7, (fields, value) => {
    fields.weekday = value % 7;
  }),
  U: number(2, 0, 53, (fields, value) => {
    fields.sundayWeek = value;
  }),
  V: number(2, 0, 53, () => {}),
  w: number(1, 0, 6, (fields, value) => {
    fields.weekday = value;
  }),
  W: number(2, 0, 53, (fields, value) => {
    fields.mondayWeek = value;
  }),
  y: number(2, 0, 99, (fields, value) => {
    fields.yearOfCentury = value;
  }),
  Y: number(4, -9999, 9999, (fields, value) => {
    fields.year = value;
  }),
  // Zones are read and have no effect, as in jq.
  z: pattern(/\s*(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)/y),
  Z: pattern(/[^\s]*/y),
  "%": pattern(/%/y),
};

function skipBlanks(text: string, at: number): number {
  let next = at;
  while (isBlank(text.charAt(next))) next++;
  return next;
}

function isBlank(character: string): boolean {
  return (character <= " " || character > "~") && /\s/.test(character);
}

/**
 * Reads a text in a format of C's `strptime`. Without a date it is the first day of 1970.
 *
 * @returns the time, and the text after what was read; undefined if the text doesn't have that format
 */
export function parseDate(
  text: string,
  format: string,
): { readonly time: DateTime; readonly rest: string } | undefined {
  const fields: Fields = { year: 1970, month: 0, day: 1, hours: 0, minutes: 0, seconds: 0 };
  const end = readFormat(text, 0, format, fields);
  if (end === undefined) return undefined;
  const time = fields.epoch === undefined ? resolved(fields) : dateTimeAt(fields.epoch * 1000);
  return time && { time, rest: text.slice(end) };
}

function readFormat(text: string, start: number, format: string, fields: Fields): number | undefined {
  let at: number | undefined = start;
  for (const piece of piecesOf(format)) {
    if (typeof piece !== "string") at = piece(text, at, fields);
    else at = text.startsWith(piece, at) ? at + piece.length : undefined;
    if (at === undefined) return undefined;
  }
  return at;
}

/** Conversions and what stands between them. */
const piecesOf = memoize((format): readonly (string | Reader)[] => {
  const pieces: (string | Reader)[] = [];
  for (const [whole, letter, blanks] of format.matchAll(piece)) {
    if (letter !== undefined) pieces.push(readerOf(letter));
    else pieces.push(blanks === undefined ? whole : skipBlanks);
  }
  return pieces;
}, 100);

// Flags and modifiers have no meaning when reading.
const piece = /%[-_0^#EO]*([^-_0^#EO]?)|(\s)+|[^%\s]+/gu;

function readerOf(letter: string): Reader {
  if (Object.hasOwn(dateShorthands, letter)) {
    const shorthand = dateShorthands[letter]!;
    return (text, at, fields) => readFormat(text, at, shorthand, fields);
  }
  return Object.hasOwn(readers, letter) ? readers[letter]! : () => undefined;
}

function resolved(fields: Fields): DateTime | undefined {
  const { century, yearOfCentury } = fields;
  let { year, month, day, hours } = fields;
  if (yearOfCentury !== undefined) {
    year =
      century === undefined
        ? yearOfCentury + (yearOfCentury < 69 ? 2000 : 1900)
        : century * 100 + yearOfCentury;
  } else if (century !== undefined) year = century * 100 + (((year % 100) + 100) % 100);
  if (fields.isAfternoon === true) hours += 12;
  const yearDay = fields.yearDay ?? yearDayOfWeek(fields, year);
  if (yearDay !== undefined) {
    const date = dateTimeAt(instantOf(year, 0, 1 + yearDay));
    if (date !== undefined) ({ month, day } = date);
  }
  return dateTime(year, month, day, hours, fields.minutes, fields.seconds);
}

/** The day that a number of a week and a day of the week mean together. */
function yearDayOfWeek({ weekday, sundayWeek, mondayWeek }: Fields, year: number): number | undefined {
  if (weekday === undefined) return undefined;
  const first = dateTimeAt(instantOf(year, 0, 1))?.weekday;
  if (first === undefined) return undefined;
  if (sundayWeek !== undefined) return ((7 - first) % 7) + (sundayWeek - 1) * 7 + weekday;
  if (mondayWeek === undefined) return undefined;
  return ((8 - first) % 7) + (mondayWeek - 1) * 7 + ((weekday + 6) % 7);
}
