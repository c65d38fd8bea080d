import { dirname, relative, resolve } from "node:path";
import { defaultSettings, type language } from "@configc/compiler";
import { readWhole } from "@configc/language-server/samples";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { globMatcher, takesBack } from "../glob/matcher.ts";
import type { ProjectSettings, SettingsFile } from "./project-settings.ts";
import type { Mistake } from "./schema-mistakes.ts";

/** The text of a settings file, understood. */
export interface ParsedSettings {
  readonly settings: SettingsFile | language.DialectFile;
  readonly mistakes: readonly Mistake[];
}

/** Parses a settings file, or the dialect file that it names (D44). */
export type ParseSettings = (text: string, kind?: "dialect") => ParsedSettings;

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
  const parsed = parse(textOf(path, "settings"));
  const { mistakes } = parsed;
  const settings = parsed.settings as SettingsFile;
  refuse(path, mistakes, "settings are");
  const { files, exclude = [], samples, dialect, ...given } = settings;
  const folder = dirname(path);
  const dialectPath = dialect === undefined ? undefined : resolve(folder, dialect);
  const excluded = exclude.length === 0 ? undefined : globMatcher(folder, exclude);
  return {
    path,
    dialectPath,
    compiler: {
      ...Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(defaultSettings, name))),
      ...(dialectPath === undefined ? {} : { dialect: readDialect(dialectPath, parse) }),
    },
    samples: samples === undefined ? undefined : { folder, patterns: samples },
    includes: files === undefined ? undefined : globMatcher(folder, files),
    // In a folder that is left out there may be what a later pattern takes back.
    excludes: (absolute, isFolder) => excluded?.(absolute) === true && !(isFolder && exclude.some(takesBack)),
  };
}

/** @throws SettingsError that lists every mistake in it */
function readDialect(path: string, parse: ParseSettings): language.DialectFile {
  const { settings, mistakes } = parse(textOf(path, "dialect"), "dialect");
  refuse(path, mistakes, "dialect is");
  return settings as language.DialectFile;
}

function textOf(path: string, what: string): string {
  try {
    return readWhole(path).toString("utf8");
  } catch (error) {
    const message = `The ${what} file ${relative("", path)} can't be opened: ${reasonOf(error)}.`;
    throw new SettingsError(path, [{ line: 1, column: 1, message }], message);
  }
}

function refuse(path: string, mistakes: readonly Mistake[], what: string): void {
  if (mistakes.length === 0) return;
  const shown = relative("", path);
  const lines = mistakes.map(({ line, column, message }) => `  ${shown}:${line}:${column}: ${message}`);
  throw new SettingsError(path, mistakes, `The ${what} wrong, so nothing was checked.\n${lines.join("\n")}`);
}
