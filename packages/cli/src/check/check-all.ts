import type { Source } from "../files/source.ts";
import type { SettingsFinder } from "../settings/finder.ts";
import { note } from "../terminal/output.ts";
import { Progress } from "../terminal/progress.ts";
import { allowBaselineCode } from "./baseline-code.ts";
import { CheckThreads } from "./check-threads.ts";
import { FileChecker } from "./file-checker.ts";
import type { KnownResults } from "./known-results.ts";
import type { LoadCompiler } from "./load-compiler.ts";
import type { CheckOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { SampleNotes } from "./sample-notes.ts";
import { taskOptions } from "./task-options.ts";

/** Files that weren't known before it is clear that more than a few have changed. */
const SURELY_MANY = 8;

/**
 * Checks every file whose findings aren't known: on this thread, and where there are many of them on others too.
 *
 * @param known what earlier runs have found, if that counts
 * @param load the compiler, where something isn't known
 * @returns the outcomes in the order of the files
 * @throws UsageError if the command line names a rule that there isn't
 */
export async function checkAll(
  sources: readonly Source[],
  settings: SettingsFinder,
  options: CheckOptions,
  known: KnownResults | undefined,
  load: LoadCompiler,
): Promise<Outcome[]> {
  const progress = new Progress(sources.length);
  const notes = new SampleNotes(note);
  const threads = new CheckThreads(sources, options, known, notes, (count) => progress.step(count));
  const wanted = { ...taskOptions(options), levels: options.levels };
  const outcomes = new Array<Outcome>(sources.length);
  let index = threads.next();
  const checker = new FileChecker(settings, wanted, known, load, (text) => notes.tell(index, text));
  if (sources.length === 0) await checker.compiler();
  const start = async (files: number) => {
    if (!threads.start(files)) return false;
    await checker.compiler();
    threads.loaded();
    return true;
  };
  // Where nothing is known, the threads load the compiler while this one does.
  const started = known?.isNew !== false && (await start(sources.length));
  let many = false;
  for (; index < sources.length; index = threads.next()) {
    outcomes[index] = await checker.check(sources[index]!);
    progress.step();
    if (many || checker.checked < SURELY_MANY) continue;
    many = true;
    if (!started && !(await start(sources.length - index - 1))) allowBaselineCode();
  }
  await threads.outcomes(outcomes);
  notes.end();
  progress.end();
  known?.save();
  return outcomes;
}
