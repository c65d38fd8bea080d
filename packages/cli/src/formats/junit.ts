import type { RenderedDiagnostic } from "@configc/compiler";
import type { CheckedFile, Report } from "../check/report.ts";
import type { Formatter } from "./format.ts";
import { attributes, xmlText } from "./xml.ts";

/**
 * A suite for each file, with a case for each finding, or one that passes. What doesn't fail the check is no failure here
 * either: such findings are cases that pass and say what was found. Only what Jenkins' schema knows is written: it has no member
 * for the line of a case, which stands in its name.
 */
export const format: Formatter = (report) => {
  const suites = report.files.map((file) => suite(file, report));
  const cases = report.files.map(casesIn).reduce((sum, count) => sum + count, 0);
  const failures = report.files.flatMap(({ diagnostics }) =>
    diagnostics.filter((each) => fails(each, report)),
  ).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "configc", tests: cases, failures, errors: 0 })}>`,
    ...suites,
    "</testsuites>\n",
  ].join("\n");
};

function casesIn({ diagnostics }: CheckedFile): number {
  return Math.max(1, diagnostics.length);
}

function suite(file: CheckedFile, report: Report): string {
  const { path, diagnostics } = file;
  const notes = (report.notes ?? []).filter((note) => note.path === path);
  const told = notes.map(({ title, text }) => `${title}\n${text}`).join("\n\n");
  const failures = diagnostics.filter((each) => fails(each, report)).length;
  const counts = { tests: casesIn(file), failures, errors: 0, skipped: 0, time: 0 };
  return [
    `  <testsuite${attributes({ name: path, file: path, ...counts })}>`,
    ...(diagnostics.length === 0
      ? [`    <testcase${attributes({ name: "no findings", classname: path, time: 0 })}/>`]
      : diagnostics.map((each) => testCase(path, each, fails(each, report)))),
    ...(told === "" ? [] : [`    <system-out>${xmlText(told)}</system-out>`]),
    "  </testsuite>",
  ].join("\n");
}

function testCase(
  path: string,
  { rule, severity, message, help, range }: RenderedDiagnostic,
  failed: boolean,
): string {
  const { line, column } = range.start;
  const text = [
    `${path}:${line}:${column}: ${severity}: ${message}`,
    ...(help === undefined ? [] : [help]),
  ].join("\n");
  const content = failed
    ? `<failure${attributes({ message, type: severity })}>${xmlText(text)}</failure>`
    : `<system-out>${xmlText(text)}</system-out>`;
  const own = attributes({ name: `${rule} at ${line}:${column}`, classname: path, time: 0 });
  return `    <testcase${own}>${content}</testcase>`;
}

function fails({ severity }: RenderedDiagnostic, { tooManyWarnings }: Report): boolean {
  return severity === "error" || (severity === "warning" && tooManyWarnings);
}
