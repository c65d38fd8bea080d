import { samplesFolder } from "./folder.ts";
import { filesOf, jsonFilesIn } from "./glob.ts";

/** Where the samples of a config are, besides in its own folder. */
export interface SampleSources {
  /** Of the settings file, from which patterns are meant. */
  readonly folder: string;
  /** The setting `samples`: sample files, folders of them, OpenAPI documents; globs of these. */
  readonly patterns: readonly string[];
}

/** The sample files and documents of a config, in the order in which they count. */
export function sampleFilesOf(config: string, sources: SampleSources | undefined): string[] {
  const own = jsonFilesIn(samplesFolder(config));
  if (sources === undefined || sources.patterns.length === 0) return own;
  return [...new Set([...own, ...sources.patterns.flatMap((pattern) => filesOf(sources.folder, pattern))])];
}
