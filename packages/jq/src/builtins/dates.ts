import type { BuiltinTable } from "./builtin.ts";

/** Dates and times: seconds since 1970, “broken down” arrays, and text. */
export const datesBuiltins: BuiltinTable = {
  now: "The current time in seconds since 1970.",
  mktime: "Converts a broken-down time in UTC to seconds since 1970.",
  gmtime: "Converts seconds since 1970 to a broken-down time in UTC.",
  localtime: "Converts seconds since 1970 to a broken-down time in the local zone.",
  "strftime($format)": "Formats a time as a string, in UTC.",
  "strflocaltime($format)": "Formats a time as a string, in the local zone.",
  "strptime($format)": "Parses a string in the given format to a broken-down time.",
  todate: "Converts seconds since 1970 to a string such as 2015-03-05T23:51:47Z.",
  fromdate: "Converts a string such as 2015-03-05T23:51:47Z to seconds since 1970.",
  date: "Converts seconds since 1970 to a string such as 2015-03-05T23:51:47Z.",
  "dateadd($unit; $amount)": "The time moved forward.",
  "datesub($unit; $amount)": "The time moved back.",
  todateiso8601: "Converts seconds since 1970 to a string such as 2015-03-05T23:51:47Z.",
  fromdateiso8601: "Converts a string such as 2015-03-05T23:51:47Z to seconds since 1970.",
};
