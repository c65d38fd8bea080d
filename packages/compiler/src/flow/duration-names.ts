import { areComparable, type Unit, unitOfName } from "./unit.ts";

const words: Readonly<Record<string, Unit>> = {
  seconds: "seconds",
  minutes: "minutes",
  hours: "hours",
  days: "days",
  nights: "days",
  weeks: "weeks",
};

const named =
  /^(?:.*_)?(seconds|minutes|hours|days|nights|weeks)(?:_(?:left|ahead|before|after|ago|until|late|overdue|remaining|total)|_(?:in|since|until|till|to|before|after)_[a-z_]+)?$/;

/** A working day has no 24 hours, and opening hours aren't counted. */
const others = /(?:^|_)(?:business|working|work|workdays|office|opening|school|person|man)_/;

/** The unit of a length of time that a name says by a plural: `nights`, `days_left`, `trialDays`. */
export function durationOfName(name: string): Unit | undefined {
  const written = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  if (others.test(written)) return undefined;
  const own = unitOfName(name);
  if (own !== undefined) return areComparable(own, "seconds") ? own : undefined;
  const word = named.exec(written)?.[1];
  return word === undefined ? undefined : words[word];
}
