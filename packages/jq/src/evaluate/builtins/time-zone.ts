import { countSteps } from "../meter.ts";
import { type DateTime, dateTime, dateTimeAt, secondsOf } from "./date-time.ts";

/** What is known of a zone at a moment. */
interface ZonedTime {
  readonly local: DateTime;
  /** Minutes east of Greenwich. */
  readonly offset: number;
  readonly zoneName: string;
}

export const utcZone = { offset: 0, zoneName: "UTC" } as const;

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string | undefined): Intl.DateTimeFormat {
  const known = clocks.get(zone ?? "");
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat("en-US", {
    ...(zone === undefined ? {} : { timeZone: zone }),
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    timeZoneName: "short",
  });
  clocks.set(zone ?? "", clock);
  return clock;
}

/**
 * The local time at a moment.
 *
 * @param seconds whole seconds since 1970
 * @param zone a name such as `Europe/Paris`; undefined means the system's zone
 */
export function zonedTime(seconds: number, zone: string | undefined): ZonedTime | undefined {
  if (dateTimeAt(seconds * 1000) === undefined) return undefined;
  // The rules of zones are asked for with texts.
  countSteps(500);
  const parts = new Map(
    clockOf(zone)
      .formatToParts(seconds * 1000)
      .map(({ type, value }) => [type, value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  // There is no year 0: 1 BC comes before AD 1.
  const year = parts.get("era") === "BC" ? 1 - part("year") : part("year");
  const local = dateTime(year, part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  if (local === undefined) return undefined;
  const offset = Math.round((secondsOf(local) - seconds) / 60);
  return { local, offset, zoneName: parts.get("timeZoneName") ?? "" };
}

const DAY = 86_400;

/**
 * The moment at which a zone's clocks show the given time; parts out of their range are carried over. Where
 * clocks show a time twice it is the first one; a time that they skip counts as if they hadn't been moved yet.
 */
export function momentOf(local: DateTime, zone: string | undefined): number {
  const wanted = secondsOf(local);
  const shownAt = (moment: number): number => {
    const shown = zonedTime(moment, zone);
    return shown === undefined ? moment : secondsOf(shown.local);
  };
  const candidate = (near: number): number => wanted - (shownAt(near) - near);
  const before = candidate(wanted - DAY);
  const after = candidate(wanted + DAY);
  return shownAt(before) !== wanted && shownAt(after) === wanted ? after : before;
}
