import { z } from "zod";
import { complaint } from "../command.ts";
import { defineTool, type ToolContext } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

const levels = ["error", "warning", "info", "hint"] as const;

/** A finding as `configc check --format json` gives it, as far as it is told here. */
interface Finding {
  readonly rule: string;
  readonly severity: (typeof levels)[number];
  readonly message: string;
  readonly range: Range;
  readonly help?: string;
  readonly because?: readonly string[];
  readonly related?: readonly { readonly message: string; readonly range: Range }[];
  readonly fixes?: readonly {
    readonly title: string;
    readonly safe: boolean;
    readonly edits: readonly { readonly range: Range; readonly newText: string }[];
  }[];
}

interface Range {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

interface CheckReport {
  readonly files: readonly { readonly path: string; readonly diagnostics: readonly Finding[] }[];
  readonly summary: Readonly<Record<string, number>>;
}

export const check = defineTool({
  name: "check",
  title: "Check configs",
  description:
    "Finds what is wrong in configs: names, types of expansions and jq programs, contracts, and mistakes by which data would get lost. Each finding has its place, its reason, and where there is a fix the exact edits. Call it after every change.",
  input: {
    path: z
      .string()
      .min(1)
      .optional()
      .describe("A config or a folder, relative to the workspace. Default: all configs of the workspace."),
    level: z
      .enum(levels)
      .optional()
      .describe("The lowest level to show. Default: warning; the others are only counted."),
    rule: z.string().optional().describe("Show the findings of this rule only."),
  },
  async run({ path, level = "warning", rule }, context) {
    const report = await reportOf(context, path === undefined ? [] : [path]);
    const shown = levels.slice(0, levels.indexOf(level) + 1);
    const lines = report.files.flatMap(({ path: name, diagnostics }) =>
      diagnostics
        .filter(
          (finding) => shown.includes(finding.severity) && (rule === undefined || finding.rule === rule),
        )
        .map((finding) => findingText(name, finding)),
    );
    return [summaryOf(report), ...lines].join("\n\n");
  },
});

/** @throws ToolError with what can't be read or used */
export async function reportOf(
  { workspace, command, signal }: ToolContext,
  paths: readonly string[],
): Promise<CheckReport> {
  const { stdout, stderr } = await command.run(
    ["check", "--format", "json", ...paths.map((each) => workspace.inside(each))],
    signal,
  );
  try {
    const report = JSON.parse(stdout) as CheckReport;
    if (report.files.length > 0 || stderr.trim() === "") return report;
  } catch {
    // Without a report, the reason stands on stderr.
  }
  throw new ToolError(complaint(stderr));
}

export function summaryOf({ summary }: CheckReport): string {
  const counts = (["errors", "warnings", "infos", "hints"] as const).map((name) => {
    const count = summary[name] ?? 0;
    return `${count} ${count === 1 ? name.slice(0, -1) : name}`;
  });
  const files = summary["files"] ?? 0;
  return `${counts.join(", ")} in ${files} ${files === 1 ? "file" : "files"}.`;
}

function findingText(path: string, finding: Finding): string {
  const { rule, severity, message, range, help, because = [], related = [], fixes = [] } = finding;
  return [
    `${path}:${range.start.line}:${range.start.column} ${severity} ${rule}`,
    `  ${indented(message)}`,
    ...because.map((line) => `  because ${indented(line)}`),
    ...related.map((other) => `  see ${other.range.start.line}:${other.range.start.column} ${other.message}`),
    ...(help === undefined ? [] : [`  help: ${indented(help)}`]),
    ...fixes.flatMap(({ title, safe, edits }) => [
      `  fix${safe ? "" : " (may change what the app does)"}: ${title}`,
      ...edits.map((edit) => `    ${placeOf(edit.range)} becomes ${JSON.stringify(edit.newText)}`),
    ]),
  ].join("\n");
}

function placeOf({ start, end }: Range): string {
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
