import { existsSync } from "node:fs";
import { samplesFolder, worldFile } from "./folder.ts";
import { filesOf, jsonFilesIn } from "./glob.ts";

/** Where the samples of a config are, besides in its own folder. */
export interface SampleSources {
  /** Of the settings file, from which patterns are meant. */
  readonly folder: string;
  /**
   * The setting `samples`: sample files, folders of them, OpenAPI documents; globs of these. One with `!` before it takes back what
   * those before it name, as in `files` and `exclude`.
   */
  readonly patterns: readonly string[];
}

/** The sample files and documents of a config, in the order in which they count, and its world file where there is one. */
export function sampleFilesOf(config: string, sources: SampleSources | undefined): string[] {
  const files = new Set(jsonFilesIn(samplesFolder(config)));
  for (const pattern of sources?.patterns ?? []) {
    const isTakenBack = pattern.startsWith("!");
    for (const file of filesOf(sources?.folder ?? "", isTakenBack ? pattern.slice(1) : pattern))
      if (isTakenBack) files.delete(file);
      else files.add(file);
  }
  const world = worldFile(config);
  // Another config's isn't meant, whatever a pattern names.
  const others = [...files].filter((file) => !file.endsWith(".world.json"));
  return existsSync(world) ? [...others, world] : others;
}
