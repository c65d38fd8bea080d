import { plural } from "../command-line/suggest.ts";
import { findSources } from "../files/find.ts";
import type { Failure } from "../files/source.ts";
import { formats } from "../formats/index.ts";
import { SettingsFinder } from "../settings/finder.ts";
import { note, print } from "../terminal/output.ts";
import { readBaseline, updateBaseline, withoutKnown } from "./baseline.ts";
import { checkAll } from "./check-all.ts";
import type { Outcome, Task, TaskOptions } from "./check-file.ts";
import { unifiedDiff } from "./diff.ts";
import type { CheckOptions } from "./options.ts";
import { type CheckedFile, hasFailed, makeReport, type Report } from "./report.ts";
import { writeReport } from "./write-report.ts";

/** Checks once. @returns the exit status */
export async function checkOnce(options: CheckOptions): Promise<number> {
  const settings = new SettingsFinder(options.settings, options.levels);
  const { sources, failures } = await findSources(options.operands, settings, options.stdinName);
  const tasks = sources.map((source): Task => ({ source, settings: settings.ofFile(source.absolute) }));
  const outcomes = await checkAll(tasks, taskOptions(options));
  if (sources.length === 0 && failures.length === 0) {
    note(
      "configc: no config found: no name ends in .app.json or .app.jsonc, or git or the settings leave them out.",
    );
  }
  return conclude(options, tasks, outcomes, failures);
}

export function taskOptions({ fix, outputs }: CheckOptions): TaskOptions {
  return { fix, fixes: outputs.some(({ format }) => formats[format].fixes) };
}

/** Prints what was found. @returns the exit status */
export async function conclude(
  options: CheckOptions,
  tasks: readonly Task[],
  outcomes: readonly Outcome[],
  failures: readonly Failure[],
): Promise<number> {
  const unopened = [
    ...failures,
    ...outcomes.flatMap((outcome) => ("failure" in outcome ? [outcome.failure] : [])),
  ];
  for (const { path, message } of unopened) note(`configc: ${path}: ${message}`);
  const files = outcomes.flatMap((outcome) => ("file" in outcome ? [outcome.file] : []));
  const report = compareWithBaseline(options, files);
  // Where a text is the result, standard output is for that alone.
  const texts = options.fix === "no" ? "" : fixedTexts(options, tasks, outcomes);
  const textIsResult = options.fix === "dry-run" || (options.fix === "write" && tasks.some(isStdin));
  print(texts);
  const written = await writeReport(report, options.outputs, textIsResult ? process.stderr : process.stdout);
  if (unopened.length > 0 || !written) return 2;
  return hasFailed(report) ? 1 : 0;
}

function compareWithBaseline(options: CheckOptions, files: readonly CheckedFile[]): Report {
  const { baseline, maxWarnings } = options;
  if (baseline === undefined) return makeReport(files, { maxWarnings, known: 0 });
  if (options.updateBaseline) {
    const recorded = updateBaseline(baseline, files);
    note(`configc: ${plural(recorded, "finding")} recorded in ${baseline}.`);
  }
  const compared = withoutKnown(baseline, readBaseline(baseline), files);
  if (compared.gone > 0) {
    note(
      `configc: ${plural(compared.gone, "finding")} of the baseline no longer there; --update-baseline takes them out.`,
    );
  }
  return makeReport(compared.files, { maxWarnings, known: compared.known });
}

/** The text of standard input after the fixes, or what the fixes would change. */
function fixedTexts({ fix }: CheckOptions, tasks: readonly Task[], outcomes: readonly Outcome[]): string {
  return outcomes
    .map((outcome, index) => {
      const task = tasks[index]!;
      if (!("file" in outcome)) return "";
      const { file, original } = outcome;
      if (fix === "write") return isStdin(task) ? file.text : "";
      return file.fixed === 0 ? "" : unifiedDiff(task.source.absolute, original, file.text);
    })
    .join("");
}

function isStdin({ source }: Task): boolean {
  return source.content !== undefined;
}
