import type { Json } from "@configc/jq";
import { isMap } from "@configc/jq/internal";
import { diffLines } from "diff";
import { laidOut } from "../run/layout.ts";

/** Deeper values are compared as they are. */
const DEEPEST = 200;
/** Lines around a difference that are shown. */
const CONTEXT = 2;
/** A diff that takes more edits is of no use to anybody, and takes long to find. */
const MOST_EDITS = 2_000;

/** Lines of two values that differ: `- ` only expected, `+ ` only given; undefined if they are the same. */
export function difference(expected: Json, given: Json): string[] | undefined {
  const [before, after] = [canonicalText(expected), canonicalText(given)];
  if (before === after) return undefined;
  const parts = diffLines(before, after, { maxEditLength: MOST_EDITS });
  if (parts === undefined) return [`- ${short(before)}`, `+ ${short(after)}`];
  const lines: string[] = [];
  for (const [index, { value, added, removed }] of parts.entries()) {
    const own = value.replace(/\n$/, "").split("\n");
    if (added || removed) lines.push(...own.map((line) => `${added ? "+" : "-"} ${line}`));
    else lines.push(...around(own, index === 0, index === parts.length - 1));
  }
  return lines;
}

/** What is the same: only the lines next to a difference. */
function around(lines: readonly string[], isFirst: boolean, isLast: boolean): string[] {
  const before = isFirst ? 0 : CONTEXT;
  const after = isLast ? 0 : CONTEXT;
  const shown = lines.map((line) => `  ${line}`);
  if (lines.length <= before + after + 1) return shown;
  return [...shown.slice(0, before), "  …", ...(after === 0 ? [] : shown.slice(-after))];
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** Equal values have equal texts: members stand in the order of their names, and each value on a line. */
function canonicalText(value: Json): string {
  return `${laidOut(sorted(value, 0))}\n`;
}

function sorted(value: Json, depth: number): Json {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  if (!isMap(value)) return value;
  const members = Object.keys(value)
    .sort()
    .map((name) => [name, sorted(value[name] ?? null, depth + 1)] as const);
  return Object.fromEntries(members);
}
