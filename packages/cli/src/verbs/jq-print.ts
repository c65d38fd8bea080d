import { ExactNumber, type Json, printExact } from "@configc/jq";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";

const LARGEST_INDENT = 7;

/** What can't be printed as it was asked for; the run fails. */
export class UnprintableError extends Error {}

const RECORD_SEPARATOR = "\x1e";

/**
 * How outputs are printed, as jq's options ask for it; with the end of line.
 *
 * @returns a function that throws an `UnprintableError`
 * @throws UsageError for an indentation that jq doesn't have
 */
export function printerOf(args: Arguments): (value: Json) => string {
  const indent = indentOf(args);
  const ends = args.has("raw-output0");
  const isBare = ends || args.has("raw-output") || args.has("join-output");
  const start = args.has("seq") ? RECORD_SEPARATOR : "";
  const end = ends ? "\0" : args.has("join-output") ? "" : "\n";
  return (value) => {
    if (ends && typeof value === "string" && value.includes("\0")) {
      throw new UnprintableError("Cannot dump a string containing NUL with --raw-output0 option");
    }
    if (isBare && typeof value === "string" && !args.has("ascii-output")) return start + value + end;
    const text = printExact(args.has("sort-keys") ? withSortedKeys(value) : value);
    const spaced = indent === undefined ? text : indented(text, indent);
    return start + (args.has("ascii-output") ? escaped(spaced) : spaced) + end;
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

const token = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]|,|:|[^\s"[\]{},:]+/gs;

/** Compact JSON with line ends: made from its text, so that nothing recurses and numbers stay as they are. */
function indented(text: string, indent: string): string {
  const out: string[] = [];
  let depth = 0;
  let before = "";
  for (const [part] of text.matchAll(token)) {
    const first = part[0]!;
    if (first === "]" || first === "}") {
      depth--;
      if (before !== "[" && before !== "{") out.push("\n", indent.repeat(depth));
    } else if (before === "[" || before === "{" || before === ",") out.push("\n", indent.repeat(depth));
    out.push(first === ":" ? ": " : part);
    if (first === "[" || first === "{") depth++;
    before = first;
  }
  return out.join("");
}

function escaped(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A copy with the members of each object in the order of their names; without recursion. */
function withSortedKeys(value: Json): Json {
  const result = [value];
  const work: { holder: Record<string | number, Json>; key: string | number }[] = [
    { holder: result as unknown as Record<number, Json>, key: 0 },
  ];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { holder, key } = next;
    const here: unknown = holder[key];
    if (typeof here !== "object" || here === null || here instanceof ExactNumber) continue;
    const entries = Object.entries(here as Record<string, Json>);
    const copy = Array.isArray(here) ? [...here] : Object.fromEntries(entries.sort(byName));
    Object.defineProperty(holder, key, { value: copy, enumerable: true, writable: true, configurable: true });
    for (const name of Object.keys(copy)) work.push({ holder: copy as Record<string, Json>, key: name });
  }
  return result[0]!;
}

/** By code points, which the order of UTF-16 units isn't. */
function byName([a]: [string, Json], [b]: [string, Json]): number {
  const [x, y] = [[...a], [...b]];
  const at = x.findIndex((character, index) => character !== y[index]);
  if (at === -1) return x.length - y.length;
  return (x[at]!.codePointAt(0) ?? -1) - (y[at]?.codePointAt(0) ?? -1);
}
