import { plural } from "../command-line/words.ts";
import { findSources } from "../files/find.ts";
import type { Failure } from "../files/source.ts";
import { formats } from "../formats/names.ts";
import { SettingsFinder } from "../settings/finder.ts";
import { note, print } from "../terminal/output.ts";
import { readStdin } from "../terminal/stdin.ts";
import { type BaselineFile, readBaseline, updateBaseline, withoutKnown } from "./baseline.ts";
import { checkAll } from "./check-all.ts";
import type { Outcome, Task, TaskOptions } from "./check-file.ts";
import type { CheckOptions } from "./options.ts";
import { type CheckedFile, hasFailed, makeReport, type Report } from "./report.ts";
import { sampleFiles, tasksOf } from "./tasks.ts";
import { writeReport } from "./write-report.ts";

/** Checks once. @returns the exit status */
export async function checkOnce(options: CheckOptions): Promise<number> {
  const known = knownFindings(options);
  const settings = new SettingsFinder(options.settings, options.levels);
  const { operands, stdinName } = options;
  const stdin = operands.includes("-") ? { path: stdinName ?? "-", content: await readStdin() } : undefined;
  const { sources, failures } = findSources(operands, settings, stdin);
  const tasks = await tasksOf(sources, settings, sampleFiles());
  const outcomes = checkAll(tasks, taskOptions(options));
  if (sources.length === 0 && failures.length === 0) {
    note(
      "configc: no config found: no name ends in .app.json or .app.jsonc, or git or the settings leave them out.",
    );
  }
  return conclude(options, tasks, outcomes, failures, known);
}

export function taskOptions({ fix, outputs }: CheckOptions): TaskOptions {
  return {
    fix,
    fixes: outputs.some(({ format }) => formats[format].showsFixes),
    because: outputs.some(({ format }) => format === "pretty"),
  };
}

/** Prints what was found. @returns the exit status */
export async function conclude(
  options: CheckOptions,
  tasks: readonly Task[],
  outcomes: readonly Outcome[],
  failures: readonly Failure[],
  known: BaselineFile | undefined,
): Promise<number> {
  const unopened = [
    ...failures,
    ...outcomes.flatMap((outcome) => ("failure" in outcome ? [outcome.failure] : [])),
  ];
  for (const { path, message } of unopened) note(`configc: ${path}: ${message}`);
  const files = outcomes.flatMap((outcome) => ("file" in outcome ? [outcome.file] : []));
  const report = compareWithBaseline(options, files, known);
  // Where a text is the result, standard output is for that alone.
  const textIsResult = options.fix === "dry-run" || (options.fix === "write" && tasks.some(isStdin));
  print(await fixedTexts(options, tasks, outcomes));
  const written = writeReport(report, options.outputs, textIsResult ? process.stderr : process.stdout);
  if (unopened.length > 0 || !written) return 2;
  return hasFailed(report) ? 1 : 0;
}

/** The baseline to compare with, read before anything is changed. @throws UsageError if it can't be read */
export function knownFindings({ baseline, updateBaseline }: CheckOptions): BaselineFile | undefined {
  return baseline === undefined || updateBaseline ? undefined : readBaseline(baseline);
}

function compareWithBaseline(
  { baseline, maxWarnings }: CheckOptions,
  files: readonly CheckedFile[],
  known: BaselineFile | undefined,
): Report {
  if (baseline === undefined) return makeReport(files, { maxWarnings, known: 0 });
  const compared = withoutKnown(baseline, known ?? updateBaseline(baseline, files), files);
  if (known === undefined) note(`configc: ${plural(compared.known, "finding")} recorded in ${baseline}.`);
  if (compared.gone > 0) {
    const gone = compared.gone === 1 ? "1 finding is" : `${compared.gone} findings are`;
    note(`configc: ${gone} in the baseline, but not there any more; --update-baseline takes them out.`);
  }
  return makeReport(compared.files, { maxWarnings, known: compared.known });
}

/** The text of standard input after the fixes, or what the fixes would change. */
async function fixedTexts(
  { fix }: CheckOptions,
  tasks: readonly Task[],
  outcomes: readonly Outcome[],
): Promise<string> {
  const fixed = outcomes.flatMap((outcome, index) =>
    "file" in outcome ? [{ ...outcome, task: tasks[index]! }] : [],
  );
  if (fix === "no") return "";
  if (fix === "write") return fixed.map(({ file, task }) => (isStdin(task) ? file.text : "")).join("");
  const { unifiedDiff } = await import("./diff.ts");
  return fixed
    .filter(({ file }) => file.fixed > 0)
    .map(({ file, original, task }) => unifiedDiff(task.source.absolute, original, file.text))
    .join("");
}

function isStdin({ source }: Task): boolean {
  return source.content !== undefined;
}
