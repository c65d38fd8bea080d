import { LineMap } from "@configc/compiler/internal";
import type { Kind } from "./kind.ts";
import { passed, type Result } from "./run.ts";

export interface Tally {
  readonly kind: Kind;
  readonly mutants: number;
  readonly found: number;
  readonly rightLine: number;
  readonly rightLevel: number;
  readonly exact: number;
  readonly quiet: number;
  readonly passed: number;
}

export function tally(kind: Kind, results: readonly Result[]): Tally {
  const count = (is: (result: Result) => boolean): number => results.filter(is).length;
  return {
    kind,
    mutants: results.length,
    found: count((result) => result.found),
    rightLine: count((result) => result.rightLine),
    rightLevel: count((result) => result.rightLevel),
    exact: count((result) => result.exact),
    quiet: count((result) => result.quiet),
    passed: count(passed),
  };
}

const columns = ["mutants", "found", "rightLine", "rightLevel", "exact", "quiet"] as const;
const headings = ["mutants", "found", "right line", "right level", "exact place", "quiet", "score"];

/** Kinds × what was counted, with a sum below. */
export function table(tallies: readonly Tally[]): string {
  const width = Math.max(...tallies.map(({ kind }) => kind.name.length), 5);
  const row = (name: string, cells: readonly string[]): string =>
    name.padEnd(width) +
    cells.map((cell, i) => cell.padStart(Math.max(headings[i]!.length, "100.0 %".length) + 2)).join("");
  const lines = [row("kind", headings)];
  for (const each of tallies) lines.push(row(each.kind.name, cellsOf(each)));
  lines.push("-".repeat(lines[0]!.length), row("total", cellsOf(total(tallies))));
  return lines.join("\n");
}

function cellsOf(each: Omit<Tally, "kind">): string[] {
  return [...columns.map((column) => `${each[column]}`), percent(each.passed, each.mutants)];
}

export function total(tallies: readonly Tally[]): Omit<Tally, "kind"> {
  const sum = (of: (each: Tally) => number): number => tallies.reduce((result, each) => result + of(each), 0);
  return {
    mutants: sum((each) => each.mutants),
    found: sum((each) => each.found),
    rightLine: sum((each) => each.rightLine),
    rightLevel: sum((each) => each.rightLevel),
    exact: sum((each) => each.exact),
    quiet: sum((each) => each.quiet),
    passed: sum((each) => each.passed),
  };
}

/** Rounded down, so that only all is 100 %. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${(Math.floor((part / whole) * 1000) / 10).toFixed(1)} %`;
}

/** A missed mutant: what is changed, where the finding should be, and what was found instead. */
export function missText(result: Result): string {
  const { config, text, at, fresh, kind } = result;
  const lines = new LineMap(text);
  const expected = [...new Set(at.map(({ start }) => lines.position(start).line))].join(" or ");
  const findings = fresh.map(({ rule, severity, message, span }) => {
    const { line, column } = lines.position(span.start);
    return `    ${line}:${column} ${severity} ${rule} ${message}`;
  });
  const flaw = !result.found
    ? "not found"
    : !result.rightLine
      ? "wrong line"
      : !result.rightLevel
        ? "wrong level"
        : "too many";
  return [
    `${kind.name}: ${flaw}: ${config.path}, ${kind.expects} expected on line ${expected}`,
    ...difference(config.text, text),
    ...(findings.length > 0 ? findings : ["    no finding"]),
  ].join("\n");
}

/** The lines that differ, between equal beginnings and ends. */
function difference(before: string, after: string): string[] {
  const a = before.split("\n");
  const b = after.split("\n");
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail++;
  const show = (sign: string, lines: readonly string[]): string[] =>
    [...lines.slice(0, 6), ...(lines.length > 6 ? [`… ${lines.length - 6} more`] : [])].map(
      (line) => `  ${sign} ${line.trim().slice(0, 220)}`,
    );
  return [...show("-", a.slice(head, a.length - tail)), ...show("+", b.slice(head, b.length - tail))];
}
