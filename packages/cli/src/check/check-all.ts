import type { Source } from "../files/source.ts";
import type { SettingsFinder } from "../settings/finder.ts";
import { Progress } from "../terminal/progress.ts";
import type { KnownResults, Question } from "./known-results.ts";
import type { LoadCompiler } from "./load-compiler.ts";
import type { CheckOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { taskOptions } from "./task-options.ts";

/**
 * Checks every file whose findings aren't known, one after the other. Threads were measured with a thousand configs on two cores: each has to load
 * and warm up the compiler for itself, which costs more than it saves.
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
  const wanted = taskOptions(options);
  const progress = new Progress(sources.length);
  const outcomes: Outcome[] = [];
  // What is known was found with these levels, so only where something is new they have to be looked at.
  let check = sources.length === 0 ? await fileChecker(settings, options, known, load) : undefined;
  for (const source of sources) {
    const question = known?.ask(source, settings);
    const file = question && known?.recall(question, wanted);
    if (file !== undefined) outcomes.push({ file, original: file.text });
    else {
      check ??= await fileChecker(settings, options, known, load);
      outcomes.push(await check(source, question));
    }
    progress.step();
  }
  progress.end();
  known?.save();
  return outcomes;
}

/** Loads the compiler. @returns what checks a file with it */
async function fileChecker(
  settings: SettingsFinder,
  options: CheckOptions,
  known: KnownResults | undefined,
  load: LoadCompiler,
): Promise<(source: Source, question: Question | undefined) => Promise<Outcome>> {
  const { checkFile, requireKnownRules, sampleFiles, tasksOf } = (await load()).checking;
  requireKnownRules(options.levels, "check");
  const wanted = taskOptions(options);
  const files = sampleFiles();
  return async (source, question) => {
    const [task] = await tasksOf([source], settings, files);
    const outcome = checkFile(task!, wanted, question?.content);
    if (question !== undefined && "file" in outcome)
      known?.keep(question, outcome.file, wanted, files.inputsOf(task!.samples));
    return outcome;
  };
}
