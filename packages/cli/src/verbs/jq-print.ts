import type { Json } from "@configc/jq";
import { type Layout, writeJson } from "@configc/jq/internal";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { colorsOf, ownColors } from "./jq-colors.ts";

const LARGEST_INDENT = 7;

/** What can't be printed as it was asked for; the run fails. */
export class UnprintableError extends Error {}

const RECORD_SEPARATOR = "\x1e";

/** Prints an output piece by piece; false when nobody reads it any more. */
type Printer = (value: Json, write: (piece: string) => boolean) => boolean;

/**
 * How outputs are printed, as jq's options ask for it; with the end of line.
 *
 * @returns a function that throws an `UnprintableError`
 * @throws UsageError for an indentation that jq doesn't have
 */
export function printerOf(args: Arguments): Printer {
  const colors = colorsOf(args);
  const layout: Layout = {
    indent: indentOf(args),
    sortKeys: args.has("sort-keys"),
    ascii: args.has("ascii-output"),
    colors: colors && process.stdout.isTTY === true ? ownColors(colors) : colors,
  };
  const ends = args.has("raw-output0");
  const isBare = ends || args.has("raw-output") || args.has("join-output");
  const start = args.has("seq") ? RECORD_SEPARATOR : "";
  const end = ends ? "\0" : args.has("join-output") ? "" : "\n";
  return (value, write) => {
    if (ends && typeof value === "string" && value.includes("\0")) {
      throw new UnprintableError("Cannot dump a string containing NUL with --raw-output0 option");
    }
    if (isBare && typeof value === "string" && !layout.ascii) return write(start + value + end);
    let before = start;
    let last = "";
    // What belongs together is written together: most outputs are one piece.
    const isRead = writeJson(value, layout, (piece) => {
      const ready = last;
      last = before + piece;
      before = "";
      return ready === "" || write(ready);
    });
    return isRead && write(last + end);
  };
}

/** What `debug` reports, on one line; it is painted as outputs are. */
export function debugPrinterOf(args: Arguments): (value: Json) => string {
  const colors = colorsOf(args);
  const layout: Layout = { colors: colors && ownColors(colors), sortKeys: args.has("sort-keys") };
  return (value) => {
    let text = "";
    writeJson(value, layout, (piece) => {
      text += piece;
      return true;
    });
    return text;
  };
}

/** Undefined for values on one line. The last option on the line counts, as in jq. */
function indentOf(args: Arguments): string | undefined {
  let indent: string | undefined = "  ";
  for (const { name, values } of args.options) {
    if (name === "compact-output") indent = undefined;
    if (name === "tab") indent = "\t";
    if (name === "indent") indent = spaces(values[0] ?? "");
  }
  return indent;
}

function spaces(text: string): string {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (count <= LARGEST_INDENT) return " ".repeat(count);
  throw new UsageError(`--indent takes a number from 0 to ${LARGEST_INDENT}, not ${text}.`, "jq");
}
