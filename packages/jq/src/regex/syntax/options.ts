import type { Cursor } from "./cursor.ts";

/** Options that hold from a place on (`(?i)`), or from outside. */
export interface Options {
  readonly ignoreCase: boolean;
  /** Blanks and comments in the pattern don't count. */
  readonly extended: boolean;
  /** `.` matches line breaks too. */
  readonly dotAll: boolean;
  /** `^` and `$` match at each line. */
  readonly lines: boolean;
}

/** `i-x` and what follows it, which is read too. @returns the options from there on; undefined for anything else */
export function readOptions(cursor: Cursor, options: Options, closer: ")" | ":"): Options | undefined {
  const start = cursor.at;
  const match = cursor.read(/([imsx]*)(?:-([imsx]*))?/y);
  if (match !== undefined && cursor.take(closer)) return switched(options, match[1]!, match[2] ?? "");
  cursor.at = start;
  return undefined;
}

function switched(options: Options, on: string, off: string): Options {
  const set = (letter: string, now: boolean) => (now || on.includes(letter)) && !off.includes(letter);
  return {
    ignoreCase: set("i", options.ignoreCase),
    extended: set("x", options.extended),
    dotAll: set("s", options.dotAll),
    lines: set("m", options.lines),
  };
}
