import type { ResourceSettings, Settings, Severity } from "@configc/compiler";
import type { SampleSources } from "@configc/language-server/samples";

/** A settings file as written; `schemas/configc.config.schema.json` describes it. */
export interface SettingsFile {
  readonly language?: Settings["language"];
  readonly unknownMembers?: Settings["unknownMembers"];
  readonly files?: readonly string[];
  readonly exclude?: readonly string[];
  readonly rules?: RuleLevels;
  /** Path of a dialect file, from the settings file's folder. */
  readonly dialect?: string;
  readonly resources?: ResourceSettings;
  readonly origins?: readonly string[];
  readonly samples?: readonly string[];
}

export type RuleLevels = Readonly<Record<string, Severity | "off">>;

/** The settings that hold in a folder. */
export interface ProjectSettings {
  /** The settings file. */
  readonly path: string;
  /** The dialect file, absolute, if the settings name one. */
  readonly dialectPath: string | undefined;
  /** What the compiler is told. */
  readonly compiler: Partial<Settings>;
  /** Where samples are, if the settings say. */
  readonly samples: SampleSources | undefined;
  /** Whether the settings say that a file is a config; undefined if they leave that to the names. */
  readonly includes: ((absolute: string) => boolean) | undefined;
  /** Whether the settings leave out a file, or a folder with all that is in it. */
  excludes(absolute: string, isFolder: boolean): boolean;
}
