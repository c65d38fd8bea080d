import { dirname, relative } from "node:path";
import { defaultSettings } from "@configc/compiler";
import { readWhole } from "@configc/language-server/samples";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { globMatcher, takesBack } from "../files/glob.ts";
import type { ProjectSettings, SettingsFile } from "./project-settings.ts";
import type { Mistake } from "./schema-mistakes.ts";

/** The text of a settings file, understood. */
export interface ParsedSettings {
  readonly settings: SettingsFile;
  readonly mistakes: readonly Mistake[];
}

export type ParseSettings = (text: string) => ParsedSettings;

/** A settings file that can't be used. */
export class SettingsError extends UsageError {
  /** Absolute. */
  readonly path: string;
  /** At least one. */
  readonly mistakes: readonly Mistake[];

  constructor(path: string, mistakes: readonly Mistake[], message: string) {
    super(message);
    this.path = path;
    this.mistakes = mistakes;
  }
}

/**
 * Reads a settings file.
 *
 * @throws SettingsError that lists every mistake in it
 */
export function readSettings(path: string, parse: ParseSettings): ProjectSettings {
  const shown = relative("", path);
  let text: string;
  try {
    text = readWhole(path).toString("utf8");
  } catch (error) {
    const message = `The settings file ${shown} can't be opened: ${reasonOf(error)}.`;
    throw new SettingsError(path, [{ line: 1, column: 1, message }], message);
  }
  const { settings, mistakes } = parse(text);
  if (mistakes.length > 0) {
    const lines = mistakes.map(({ line, column, message }) => `  ${shown}:${line}:${column}: ${message}`);
    const message = `The settings are wrong, so nothing was checked.\n${lines.join("\n")}`;
    throw new SettingsError(path, mistakes, message);
  }
  const { files, exclude = [], samples } = settings;
  const folder = dirname(path);
  const excluded = exclude.length === 0 ? undefined : globMatcher(folder, exclude);
  return {
    path,
    compiler: Object.fromEntries(
      Object.entries(settings).filter(([name]) => Object.hasOwn(defaultSettings, name)),
    ),
    samples: samples === undefined ? undefined : { folder, patterns: samples },
    includes: files === undefined ? undefined : globMatcher(folder, files),
    // In a folder that is left out there may be what a later pattern takes back.
    excludes: (absolute, isFolder) => excluded?.(absolute) === true && !(isFolder && exclude.some(takesBack)),
  };
}
