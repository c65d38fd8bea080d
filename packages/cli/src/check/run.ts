import { plural } from "../command-line/phrases.ts";
import { findSources } from "../files/find.ts";
import type { Failure, Found, Source } from "../files/source.ts";
import type { LoadFormatter } from "../formats/format.ts";
import { SettingsFinder } from "../settings/finder.ts";
import type { ParseSettings } from "../settings/read.ts";
import { note, print } from "../terminal/output.ts";
import { readStdin } from "../terminal/stdin.ts";
import { type BaselineFile, readBaseline, updateBaseline, withoutKnown } from "./baseline.ts";
import { checkAll } from "./check-all.ts";
import { KnownResults, UnknownSettings } from "./known-results.ts";
import type { LoadCompiler } from "./load-compiler.ts";
import type { CheckOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { type CheckedFile, hasFailed, makeReport, type Report } from "./report.ts";
import { writeReport } from "./write-report.ts";

/**
 * Checks once.
 *
 * @param load what needs the compiler: it is loaded only where something isn't known from an earlier run
 * @returns the exit status
 */
export async function checkOnce(options: CheckOptions, load: LoadCompiler): Promise<number> {
  const baseline = knownFindings(options);
  const { operands, stdinName } = options;
  const stdin = operands.includes("-") ? { path: stdinName ?? "-", content: await readStdin() } : undefined;
  // What fixes make of a file is another text, whose findings aren't known.
  const known = options.cache && options.fix === "no" ? KnownResults.open() : undefined;
  const { settings, sources, failures } = await find(options, stdin, known, load);
  const outcomes = await checkAll(sources, settings, options, known, load);
  if (sources.length === 0 && failures.length === 0) {
    note(
      "configc: no config found: no name ends in .app.json or .app.jsonc, or git or the settings leave them out. `configc init` writes one.",
    );
  }
  return conclude(options, sources, outcomes, failures, baseline, async () => (await load()).sarif);
}

/**
 * Finds the files, with settings that are known to be right; with those that aren't, the compiler has to be loaded.
 *
 * @throws UsageError if a settings file is wrong
 */
async function find(
  options: CheckOptions,
  stdin: Pick<Source, "path" | "content"> | undefined,
  known: KnownResults | undefined,
  load: LoadCompiler,
): Promise<Found & { readonly settings: SettingsFinder }> {
  const search = (parse: ParseSettings) => {
    const settings = new SettingsFinder(options.settings, options.levels, parse);
    const found = findSources(options.operands, settings, stdin);
    // Of all of them now: what is wrong with one is said before anything else.
    for (const { absolute } of found.sources) settings.ofFile(absolute);
    return { ...found, settings };
  };
  try {
    return search((text, kind) => {
      if (known === undefined) throw new UnknownSettings();
      return known.settings(keyOf(text, kind));
    });
  } catch (error) {
    if (!(error instanceof UnknownSettings)) throw error;
  }
  const { parseSettings } = await load();
  return search((text, kind) => {
    const parsed = parseSettings(text, kind);
    known?.keepSettings(keyOf(text, kind), parsed);
    return parsed;
  });
}

/** One text means something else as a dialect than as settings. */
function keyOf(text: string, kind: "dialect" | undefined): string {
  return kind === undefined ? text : `${kind}\n${text}`;
}

/**
 * Prints what was found.
 *
 * @param sarif see `formatterOf`
 * @returns the exit status
 */
export async function conclude(
  options: CheckOptions,
  sources: readonly Source[],
  outcomes: readonly Outcome[],
  failures: readonly Failure[],
  known: BaselineFile | undefined,
  sarif: LoadFormatter,
): Promise<number> {
  const unopened = [
    ...failures,
    ...outcomes.flatMap((outcome) => ("failure" in outcome ? [outcome.failure] : [])),
  ];
  for (const { path, message } of unopened) note(`configc: ${path}: ${message}`);
  const files = outcomes.flatMap((outcome) => ("file" in outcome ? [outcome.file] : []));
  const report = compareWithBaseline(options, files, known);
  // Where a text is the result, standard output is for that alone.
  const textIsResult = options.fix === "dry-run" || (options.fix === "write" && sources.some(isStdin));
  print(await fixedTexts(options, sources, outcomes));
  const stream = textIsResult ? process.stderr : process.stdout;
  const written = await writeReport(report, { outputs: options.outputs, stream, sarif });
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
    const gone = compared.gone === 1 ? "1 finding" : `${compared.gone} findings`;
    note(
      `configc: ${gone} in the baseline no longer ${compared.gone === 1 ? "exists" : "exist"}; --update-baseline removes ${compared.gone === 1 ? "it" : "them"}.`,
    );
  }
  return makeReport(compared.files, { maxWarnings, known: compared.known });
}

/** The text of standard input after the fixes, or what the fixes would change. */
async function fixedTexts(
  { fix }: CheckOptions,
  sources: readonly Source[],
  outcomes: readonly Outcome[],
): Promise<string> {
  const fixed = outcomes.flatMap((outcome, index) =>
    "file" in outcome ? [{ ...outcome, source: sources[index]! }] : [],
  );
  if (fix === "no") return "";
  if (fix === "write") return fixed.map(({ file, source }) => (isStdin(source) ? file.text : "")).join("");
  const { unifiedDiff } = await import("./diff.ts");
  return fixed
    .filter(({ file }) => file.fixed > 0)
    .map(({ file, original, source }) => unifiedDiff(source.absolute, original, file.text))
    .join("");
}

function isStdin({ content }: Source): boolean {
  return content !== undefined;
}
