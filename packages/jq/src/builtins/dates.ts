import type { BuiltinTable } from "./builtin.ts";

/** Dates and times: seconds since 1970, “broken down” arrays, and text. */
export const datesBuiltins: BuiltinTable = {
  now: "The current time in seconds since 1970.",
  mktime: "Seconds since 1970 of a broken down time in UTC.",
  gmtime: "The broken down time in UTC of seconds since 1970.",
  localtime: "The broken down time in the local zone of seconds since 1970.",
  "strftime($format)": "A time as text in the given format, in UTC.",
  "strflocaltime($format)": "A time as text in the given format, in the local zone.",
  "strptime($format)": "Reads a text in the given format as a broken down time.",
  todate: "Seconds since 1970 as text such as 2015-03-05T23:51:47Z.",
  fromdate: "Seconds since 1970 of a text such as 2015-03-05T23:51:47Z.",
  date: "Seconds since 1970 as text such as 2015-03-05T23:51:47Z.",
  "dateadd($unit; $amount)": "The time moved forward.",
  "datesub($unit; $amount)": "The time moved back.",
  todateiso8601: "Seconds since 1970 as text such as 2015-03-05T23:51:47Z.",
  fromdateiso8601: "Seconds since 1970 of a text such as 2015-03-05T23:51:47Z.",
};
