import type { Colors } from "@configc/jq/internal";
import type { Arguments } from "../command-line/arguments.ts";
import { asOwn } from "../terminal/harmless.ts";
import { hasColour } from "../terminal/output.ts";

/** The order of $JQ_COLORS, and what jq 1.8 paints with where that says nothing. */
const defaults = {
  null: "0;90",
  false: "0;39",
  true: "0;39",
  number: "0;39",
  string: "0;32",
  array: "1;39",
  object: "1;39",
  key: "1;34",
} as const;

/** What values are painted with as the options and $JQ_COLORS ask for it; undefined for none. */
export function colorsOf(args: Arguments): Colors | undefined {
  if (args.has("monochrome-output")) return undefined;
  if (!args.has("color-output") && !hasColour(process.stdout)) return undefined;
  const given = (process.env.JQ_COLORS ?? "").split(":");
  const isValid = given.every((code) => /^[\d;]*$/.test(code));
  const codes = Object.entries(defaults).map(([kind, code], at) => {
    return [kind, `\u001b[${(isValid ? given[at] : undefined) || code}m`];
  });
  return { ...Object.fromEntries(codes), off: "\u001b[0m" } as Colors;
}

/** The same colours for what goes through `shown`, which lets only our own pass. */
export function ownColors(colors: Colors): Colors {
  return Object.fromEntries(Object.entries(colors).map(([kind, code]) => [kind, asOwn(code)])) as Colors;
}
