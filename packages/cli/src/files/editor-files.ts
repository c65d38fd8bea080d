import { pathToFileURL } from "node:url";
import { noSamples } from "@configc/compiler";
import type { DocumentSettings, ServerOptions, SettingsMistake } from "@configc/language-server";
import type { SampleSources } from "@configc/language-server/samples";
import { sampleFiles } from "../check/tasks.ts";
import { nearestSettings } from "../settings/nearest.ts";
import { SettingsError } from "../settings/read.ts";
import { followRenames } from "./renamed.ts";
import { pathOf } from "./uri.ts";

/** What an editor's server learns from the disk. All of it is looked at each time: files may have changed. */
export function editorFiles(): Pick<ServerOptions, "settingsOf" | "samplesOf" | "followRenames"> {
  const files = sampleFiles();
  return {
    settingsOf,
    samplesOf(uri, changed) {
      const path = pathOf(uri);
      if (path === undefined) return noSamples;
      const sources = sourcesOf(path);
      if (sources !== undefined)
        void files.load(path, sources).then((isNew) => {
          if (isNew) changed();
        });
      return files.of(path, sources);
    },
    followRenames,
  };
}

/** Documents that aren't on disk have none. */
function settingsOf(uri: string): DocumentSettings {
  const path = pathOf(uri);
  if (path === undefined) return { settings: {} };
  try {
    const finder = nearestSettings();
    const settings = finder.ofFile(path);
    const [file] = finder.paths;
    return { settings, ...(file === undefined ? {} : settingsFile(file, [])) };
  } catch (error) {
    // It mustn't take the diagnostics of the documents away.
    if (error instanceof SettingsError) return { settings: {}, ...settingsFile(error.path, error.mistakes) };
    throw error;
  }
}

function settingsFile(path: string, mistakes: readonly SettingsMistake[]): Pick<DocumentSettings, "file"> {
  return { file: { uri: pathToFileURL(path).href, mistakes } };
}

/** Without usable settings there are only the samples beside the config. */
function sourcesOf(path: string): SampleSources | undefined {
  try {
    return nearestSettings().samplesOf(path);
  } catch (error) {
    if (error instanceof SettingsError) return undefined;
    throw error;
  }
}
