import { arithmetic } from "../arithmetic.ts";
import { one } from "../flow.ts";
import { array, number, string, union } from "../type.ts";
import { gives, type Kind, type RuleTable } from "./rule.ts";

/** A time is a number of seconds or a broken down time. */
const time: readonly Kind[] = ["number", "array"];
const text: readonly Kind[] = ["string"];
const brokenDown = array(number);

/** Dates and times. */
export const datesRules: RuleTable = {
  "now/0": gives(number),
  "mktime/0": gives(number, ["array"]),
  "gmtime/0": gives(brokenDown, ["number"]),
  "localtime/0": gives(brokenDown, ["number"]),
  "strftime/1": gives(string, time, text),
  "strflocaltime/1": gives(string, time, text),
  // What follows with a blank is given too, as it is.
  "strptime/1": gives(array(union(number, string)), text, text),
  "todate/0": gives(string, time),
  "fromdate/0": gives(number, text),
  "date/0": gives(string, time),
  "dateadd/2": { flow: ({ input, values: [, amount] }) => one(arithmetic("+", input, amount!)) },
  "datesub/2": { flow: ({ input, values: [, amount] }) => one(arithmetic("-", input, amount!)) },
  "todateiso8601/0": gives(string, time),
  "fromdateiso8601/0": gives(number, text),
};
