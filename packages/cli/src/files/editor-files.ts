import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { noSamples } from "@configc/compiler";
import type {
  DocumentSettings,
  ServerOptions,
  SettingsMistake,
  WorkspaceConfig,
} from "@configc/language-server";
import { readWhole, type SampleSources } from "@configc/language-server/samples";
import { sampleFiles } from "../check/tasks.ts";
import { SettingsFinder } from "../settings/finder.ts";
import { nearestSettings } from "../settings/nearest.ts";
import { SettingsError } from "../settings/read.ts";
import { parseSettings } from "../settings/validate.ts";
import { findSources } from "./find.ts";
import { followRenames } from "./renamed.ts";
import type { Source } from "./source.ts";
import { pathOf } from "./uri.ts";

/** What an editor's server learns from the disk. All of it is looked at each time: files may have changed. */
export function editorFiles(): Pick<
  ServerOptions,
  "settingsOf" | "samplesOf" | "followRenames" | "workspaceConfigs"
> {
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
    workspaceConfigs,
  };
}

/** As `configc check` finds them in these folders; with wrong settings nothing is left out. */
function workspaceConfigs(folders: readonly string[]): WorkspaceConfig[] {
  const paths = folders.flatMap((uri) => pathOf(uri) ?? []);
  return sourcesIn(paths).map(({ absolute }) => ({
    uri: pathToFileURL(absolute).href,
    stamp: stampOf(absolute),
    read: () => new TextDecoder().decode(readWhole(absolute)),
  }));
}

function sourcesIn(paths: readonly string[]): readonly Source[] {
  if (paths.length === 0) return [];
  try {
    return findSources(paths, nearestSettings(), undefined).sources;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return findSources(paths, new SettingsFinder({ kind: "none" }, {}, parseSettings), undefined).sources;
  }
}

function stampOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0, ino: 0 };
  return `${mtimeMs} ${size} ${ino}`;
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
