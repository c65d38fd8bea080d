import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";

/** How a time can be read otherwise than it is written. */
export type TimeProblem = "milliseconds" | "unit" | "divided" | "text" | "number" | "format";

/** What is wrong with reading a time that way, as far as it is known. @param value what the sample has become on the way there */
export function problemOf(
  name: string,
  argument: Expression | undefined,
  value: string | number,
  sample: string | number,
): TimeProblem | undefined {
  switch (name) {
    case "todate":
    case "todateiso8601":
    case "gmtime":
    case "strftime":
      if (typeof value === "string")
        return name === "strftime" || name === "gmtime" || name === "todate" ? "text" : undefined;
      if (value > 1e11) return "milliseconds";
      if (value > 1e8) return undefined;
      return Number(sample) > 1e9 && Number(sample) < 1e11
        ? "divided"
        : Number(sample) < 1e8
          ? "unit"
          : undefined;
    case "fromdate":
    case "fromdateiso8601":
      if (typeof value === "number") return "number";
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) ? undefined : "format";
    case "strptime": {
      const format = argument === undefined ? undefined : constantOf(argument);
      if (typeof format !== "string") return undefined;
      return typeof value === "number" ? "number" : mayRead(value, format) ? undefined : "format";
    }
    default:
      return undefined;
  }
}

const directives: Readonly<Record<string, string>> = {
  Y: "\\d{4}",
  y: "\\d\\d",
  m: "(?:0?[1-9]|1[0-2])",
  d: "(?:0?[1-9]|[12]\\d|3[01])",
  e: " ?\\d{1,2}",
  H: "(?:[01]?\\d|2[0-3])",
  M: "[0-5]?\\d",
  S: "[0-6]?\\d",
  F: "\\d{4}-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12]\\d|3[01])",
  T: "\\d{1,2}:\\d{1,2}:\\d{1,2}",
  z: "(?:Z|[+-]\\d\\d:?\\d\\d)",
  Z: "[A-Za-z]+",
};

/** Whether `strptime` with a format may read a text; directives that few use read anything. */
export function mayRead(text: string, format: string): boolean {
  const pattern = format.replace(/%(.)|[\s\S]/g, (written, directive: string | undefined) =>
    directive === undefined ? escapedPattern(written) : (directives[directive] ?? "[\\s\\S]*?"),
  );
  return new RegExp(`^${pattern}$`).test(text);
}
