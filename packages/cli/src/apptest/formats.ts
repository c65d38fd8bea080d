import { plural } from "../command-line/phrases.ts";
import { attributes, xmlText } from "../formats/xml.ts";
import { type Style, styleOf } from "../terminal/style.ts";
import { visible } from "../terminal/text.ts";
import type { CaseResult } from "./case-result.ts";
import { casesOf, type TestedFile, type TestReport } from "./report.ts";

export const testFormats: Readonly<Record<string, (report: TestReport, colour: boolean) => string>> = {
  pretty,
  json,
  junit,
};

function pretty(report: TestReport, colour: boolean): string {
  const style = styleOf(colour);
  const lines = report.files.flatMap((file) => fileLines(file, style));
  const all = casesOf(report);
  const failed = all.filter(({ passed }) => !passed).length;
  const verdict =
    failed > 0
      ? style.red(`✗ ${plural(failed, "case")} of ${all.length} failed`)
      : all.length === 0
        ? "No case has run"
        : style.green(`✓ ${plural(all.length, "case")} passed`);
  for (const [config, coverage] of report.coverage ?? [])
    lines.push(...coverage.pretty(style.bold(config), style));
  if (report.verified !== undefined) {
    const { programs, runs, skipped } = report.verified;
    const left = skipped > 0 ? `; ${plural(skipped, "run")} took too long to compare` : "";
    lines.push(
      `${plural(runs, "run")} of ${plural(programs, "jq program")} gave the same in jq itself${left}`,
    );
  }
  const where = style.dim(`in ${plural(report.files.length, "file")}, ${report.milliseconds} ms`);
  return `${[...lines, `${verdict} ${where}`].join("\n")}\n`;
}

function fileLines({ path, cases }: TestedFile, style: Style): string[] {
  const failed = cases.filter(({ passed }) => !passed);
  const mark = failed.length > 0 ? style.red("✗") : style.green("✓");
  const head = `${mark} ${style.bold(path)} ${style.dim(plural(cases.length, "case"))}`;
  return [head, ...failed.flatMap((each) => caseLines(each, style))];
}

function caseLines({ name, reasons, diff = [], failure }: CaseResult, style: Style): string[] {
  const place =
    failure?.range === undefined
      ? ""
      : ` (${failure.range.start.line}:${failure.range.start.column} of the config)`;
  return [
    `  ${style.red("✗")} ${visible(name)}`,
    ...reasons.flatMap((reason) => reason.split("\n").map((line) => `      ${visible(line)}`)),
    ...(failure === undefined ? [] : [style.dim(`      at ${failure.pointer}${place}`)]),
    ...(diff.length === 0 ? [] : [`      ${style.red("- expected")}  ${style.green("+ given")}`]),
    ...diff.map((line) => {
      const paint = line.startsWith("-") ? style.red : line.startsWith("+") ? style.green : style.dim;
      return paint(`      ${visible(line)}`);
    }),
  ];
}

function json(report: TestReport): string {
  const all = casesOf(report);
  const failed = all.filter(({ passed }) => !passed).length;
  const result = {
    version: 1,
    files: report.files.map(({ path, config, cases }) => ({
      path,
      config,
      cases: cases.map(({ name, passed, reasons, diff, failure, milliseconds }) => ({
        name,
        passed,
        milliseconds,
        ...(passed ? {} : { reasons, diff, failure }),
      })),
    })),
    summary: { files: report.files.length, cases: all.length, passed: all.length - failed, failed },
    ...(report.verified === undefined ? {} : { verified: report.verified }),
    ...(report.coverage === undefined
      ? {}
      : {
          coverage: Object.fromEntries(report.coverage),
        }),
  };
  return `${JSON.stringify(result, undefined, 2)}\n`;
}

function junit(report: TestReport): string {
  const all = casesOf(report);
  const count = (cases: readonly CaseResult[]): Record<string, number | string> => ({
    tests: cases.length,
    failures: cases.filter(({ passed }) => !passed).length,
    errors: 0,
    time: seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
  });
  const suites = report.files.map(({ path, cases }) =>
    [
      `  <testsuite${attributes({ name: path, file: path, ...count(cases), skipped: 0 })}>`,
      ...cases.map((each) => testCase(path, each)),
      "  </testsuite>",
    ].join("\n"),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "configc test", ...count(all) })}>`,
    ...suites,
    "</testsuites>\n",
  ].join("\n");
}

function testCase(path: string, { name, passed, reasons, diff = [], milliseconds }: CaseResult): string {
  const own = attributes({ name, classname: path, time: seconds(milliseconds) });
  if (passed) return `    <testcase${own}/>`;
  const [message = "It failed."] = reasons;
  const text = [...reasons, ...diff].join("\n");
  return `    <testcase${own}><failure${attributes({ message, type: "failure" })}>${xmlText(text)}</failure></testcase>`;
}

/** Without an exponent, which readers of the format refuse. */
function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}
