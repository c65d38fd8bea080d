import { SampleFiles } from "@configc/language-server/samples";
import type { Source } from "../files/source.ts";
import type { SettingsFinder } from "../settings/finder.ts";
import { note } from "../terminal/output.ts";
import type { Task } from "./check-file.ts";

/**
 * Reads samples; a file that can't be used is mentioned once and is no reason to stop.
 *
 * @param tell takes what is mentioned
 */
export function sampleFiles(tell: (text: string) => void = note): SampleFiles {
  return new SampleFiles((path, problem) =>
    tell(`configc: ${path}: ${problem}, so nothing is learned from it.`),
  );
}

/**
 * What is to be checked, with all that holds for it.
 *
 * @throws UsageError if a settings file is wrong
 */
export async function tasksOf(
  sources: readonly Source[],
  settings: SettingsFinder,
  files: SampleFiles,
): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const source of sources) {
    const { absolute } = source;
    const named = settings.samplesOf(absolute);
    // Only what the settings name may have to be waited for.
    if (named !== undefined) await files.load(absolute, named);
    tasks.push({ source, settings: settings.ofFile(absolute), samples: files.of(absolute, named) });
  }
  return tasks;
}
