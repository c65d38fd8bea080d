import type { RenderedDiagnostic } from "@configc/compiler";
import type { CheckedFile, Report } from "../check/report.ts";
import { hasFailed } from "../check/report.ts";
import { plural } from "../command-line/phrases.ts";
import { inlineCode, levelColour, type Style, styleOf } from "../terminal/style.ts";
import { visible } from "../terminal/text.ts";
import type { Formatter } from "./format.ts";
import { withoutSecrets } from "./mask.ts";
import { linesOf, type Mark, type SnippetLine, snippet } from "./snippet.ts";

/** For people: each finding with its source lines, the place marked below, what to do, and a summary. */
export const format: Formatter = (report, { colour, width }) => {
  const style = styleOf(colour);
  const findings = report.files.flatMap((file) => {
    if (file.diagnostics.length === 0) return [];
    const source = linesOf(withoutSecrets(file.text, file.diagnostics));
    return file.diagnostics.map((each) => finding(file, source, each, style, width));
  });
  return `${[...findings, summary(report, style)].join("\n")}`;
};

function finding(
  { path }: CheckedFile,
  source: ReturnType<typeof linesOf>,
  { rule, severity, message, range, help, because = [], related = [], fixes = [] }: RenderedDiagnostic,
  style: Style,
  width: number,
): string {
  const level = levelColour(style, severity);
  const marks: Mark[] = [
    { start: range.start.offset, end: range.end.offset, primary: true },
    ...related.map((each) => ({
      start: each.range.start.offset,
      end: each.range.end.offset,
      label: each.message,
      primary: false,
    })),
  ];
  const numbers = [range, ...related.map((each) => each.range)].map(({ start }) => start.line);
  const gutter = `${Math.max(...numbers)}`.length;
  const blank = " ".repeat(gutter);
  const lines = snippet(source, marks, width - gutter - 4);
  const row = (line: SnippetLine): string => {
    switch (line.kind) {
      case "gap":
        return style.dim(`${blank} ⋮`);
      case "source":
        return `${style.dim(`${`${line.number}`.padStart(gutter)} │`)} ${line.text}`;
      case "marks": {
        const { indentation, carets, mark } = line;
        const paint = mark.primary ? level : style.blue;
        const label =
          mark.label === undefined ? "" : ` ${inlineCode(style, visible(mark.label), style.blue)}`;
        return `${style.dim(`${blank} │`)} ${" ".repeat(indentation)}${paint(carets)}${label}`;
      }
    }
  };
  const notes = [
    ...(help === undefined ? [] : [helpText(help, style)]),
    ...because.map((text) => `${style.bold("because:")} ${text.split("\n").map(visible).join("\n")}`),
    ...fixes.map(({ title, safe }) => {
      const how = safe ? "--fix does it" : "needs your judgement";
      return `${style.bold("fix:")} ${inlineCode(style, visible(title))} ${style.dim(`(${how})`)}`;
    }),
    style.dim(`configc explain ${rule}`),
  ];
  const place = `${path === "-" ? "<stdin>" : path}:${range.start.line}:${range.start.column}`;
  return [
    `${level(style.bold(severity))}${style.bold(":")} ${inlineCode(style, visible(message), style.bold)}`,
    `${blank} ${style.dim("╭─")} ${style.cyan(place)}`,
    ...lines.map((line) => row(line).trimEnd()),
    ...notes.map((each, index) => {
      const [first, ...others] = each.split("\n");
      const more = others.map((line) => `\n${blank} ${style.dim("│")}        ${line}`.trimEnd());
      return `${blank} ${style.dim(index === notes.length - 1 ? "╰─" : "├─")} ${first}${more.join("")}`;
    }),
    "",
  ].join("\n");
}

/** Several lines are a comparison: what is missing, too much and different has the colours of a diff. */
function helpText(help: string, style: Style): string {
  const [first = "", ...lines] = help.split("\n").map(visible);
  const paint: Readonly<Record<string, (text: string) => string>> = {
    "+": style.green,
    "-": style.red,
    "≠": style.yellow,
  };
  const painted = lines.map((line) => (paint[line[0] ?? ""] ?? style.dim)(line));
  return [`${style.bold("help:")} ${inlineCode(style, first)}`, ...painted].join("\n");
}

function summary(report: Report, style: Style): string {
  const { files, errors, warnings, infos, hints } = report.summary;
  const counts = [
    ...(errors > 0 ? [style.red(plural(errors, "error"))] : []),
    ...(warnings > 0 ? [style.yellow(plural(warnings, "warning"))] : []),
    ...(infos > 0 ? [style.blue(plural(infos, "info"))] : []),
    ...(hints > 0 ? [style.green(plural(hints, "hint"))] : []),
  ];
  const concerned = report.files.filter(({ diagnostics }) => diagnostics.length > 0).length;
  const fixed = report.files.reduce((sum, file) => sum + file.fixed, 0);
  const fixable = report.files
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ fixes = [] }) => fixes[0]?.safe === true).length;
  const found =
    files === 0
      ? "Nothing was checked"
      : counts.length === 0
        ? `${style.green("✓")} Nothing to report in ${plural(files, "file")}`
        : `${hasFailed(report) ? style.red("✗") : style.green("✓")} ${counts.join(", ")} in ${concerned} of ${plural(files, "file")}`;
  const more = [
    ...(fixed > 0 ? [`${fixed} fixed`] : []),
    ...(fixable > 0 ? [`${fixable} can be repaired by --fix`] : []),
    ...(report.known > 0 ? [`${report.known} known from the baseline`] : []),
    ...(report.tooManyWarnings ? ["more warnings than --max-warnings accepts"] : []),
  ];
  return `${[found, ...more].join(style.dim(" · "))}\n`;
}
