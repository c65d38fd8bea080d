import type { Operation, Parameter } from "../description.ts";
import type { Guess } from "./guess.ts";
import { phrase } from "./name-words.ts";
import {
  formatOf,
  furthestIn,
  isEndOf,
  longestIn,
  proseOf,
  type TimeFormat,
  takesTime,
} from "./time-words.ts";

/** A parameter by which a list is asked for what is new only. */
export interface Watermark {
  readonly param: string;
  readonly format: TimeFormat;
  /** Whether it counts changes, or creations only. */
  readonly counts: "changes" | "creations";
  /** Where the list has to be told up to when as well: `param` begins it. */
  readonly window?: Window;
}

/** A stretch of time that each request names: all of it is read by one window after the other. */
export interface Window {
  /** The parameter that ends it; undefined where the first one names a day. */
  readonly to: string | undefined;
  /** Seconds, at most. */
  readonly span: number;
  /** Whether the document says how long it may be. */
  readonly isSpanTold: boolean;
  /** How far back records can be asked for, in seconds, if the document says so. */
  readonly back: number | undefined;
}

/** Nobody says how long a window may be: services that limit it take a month. */
const USUAL_SPAN = 28 * 86_400;
const DAY = 86_400;

/** Where a list has to be told up to when, or for which day, its records are wanted. */
export function windowOf(operation: Operation): Guess<Watermark> | undefined {
  const query = operation.parameters.filter(({ in: place }) => place === "query");
  for (const end of query.filter(({ isRequired }) => isRequired)) {
    const begin = query.find(({ name }) => isEndOf(end.name, name));
    const found = begin && between(begin, end, operation);
    if (found !== undefined) return found;
  }
  const day = query.find(
    ({ name, isRequired }) => isRequired && /^(?:date|day|for date)$/.test(phrase(name)),
  );
  return day !== undefined && takesTime(day) !== false ? ofDay(day, operation) : undefined;
}

/** A list that has to be told from when on, by a name that is no usual one for changes. */
export function requiredBeginning(operation: Operation): Guess<Watermark> | undefined {
  const begin = operation.parameters.find(
    (each) =>
      each.in === "query" &&
      each.isRequired &&
      /\b(?:from|since|start|begin|after|min|oldest|earliest|gte?|ge)\b/.test(phrase(each.name)) &&
      takesTime(each) !== false,
  );
  if (begin === undefined) return undefined;
  return {
    value: { param: begin.name, format: formatIn(begin), counts: countsOf(begin) },
    because: `the parameter \`${begin.name}\`, which has to be sent`,
    ...(takesTime(begin) === "open" ? { isOpen: true } : {}),
  };
}

function between(begin: Parameter, end: Parameter, operation: Operation): Guess<Watermark> | undefined {
  const [first, last] = [takesTime(begin), takesTime(end)];
  if (first === false || last === false) return undefined;
  const texts = proseOf(operation);
  const longest = longestIn(texts);
  return {
    value: {
      param: begin.name,
      format: formatIn(begin),
      counts: countsOf(begin),
      window: {
        to: end.name,
        span: longest ?? USUAL_SPAN,
        isSpanTold: longest !== undefined,
        back: furthestIn(texts),
      },
    },
    because: `the parameters \`${begin.name}\` and \`${end.name}\`, which have to be sent`,
    ...(first === "open" && last === "open" ? { isOpen: true } : {}),
  };
}

function ofDay(day: Parameter, operation: Operation): Guess<Watermark> {
  const format = formatIn(day);
  return {
    value: {
      param: day.name,
      format: format === "date-time" ? "date" : format,
      counts: countsOf(day),
      window: { to: undefined, span: DAY, isSpanTold: true, back: furthestIn(proseOf(operation)) },
    },
    because: `the parameter \`${day.name}\`, which has to be sent, seems to name one day`,
  };
}

function countsOf({ name, about }: Parameter): Watermark["counts"] {
  return /updat|modif|chang|edit/i.test(`${phrase(name)} ${about}`) ? "changes" : "creations";
}

/** A name that says “date” wants no time where nothing else tells the form. */
function formatIn(parameter: Parameter): TimeFormat {
  const { name, shape, about } = parameter;
  const format = formatOf(parameter, about);
  const isUntold =
    (shape.kind === "unknown" || (shape.kind === "string" && shape.format === undefined)) &&
    !/ISO|RFC|\btime/i.test(about);
  return format === "date-time" && isUntold && /\b(?:date|day)\b/.test(phrase(name)) ? "date" : format;
}
