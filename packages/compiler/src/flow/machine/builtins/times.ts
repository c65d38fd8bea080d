import { isKind, UNKNOWN, type Value } from "../value.ts";
import { type Call, firstArgument, type OneOutput } from "./builtin.ts";

export const times: OneOutput = {
  now: ({ now }) => now,
  todate,
  todateiso8601: todate,
  fromdate,
  fromdateiso8601: fromdate,
  strftime,
};

/** Milliseconds since 1970 are beyond it: taken for seconds they would be a date that nobody means. */
const MOST_SECONDS = 1e11;

function todate({ known }: Call): Value {
  return typeof known === "number" && known < MOST_SECONDS ? isoDate(known) : UNKNOWN;
}

function fromdate({ known }: Call): Value {
  if (isKind(known, "text") && known.says !== undefined && "date" in known.says) return known.says.date;
  return typeof known === "string" && /^\d{4}-.*Z$/.test(known) ? Date.parse(known) / 1_000 : UNKNOWN;
}

function strftime(call: Call): Value {
  const { known } = call;
  const format = firstArgument(call);
  if (typeof known !== "number" || typeof format !== "string") return UNKNOWN;
  return formatted(known, format) ?? UNKNOWN;
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
