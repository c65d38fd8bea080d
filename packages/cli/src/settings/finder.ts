import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Settings } from "@configc/compiler";
import type { SampleSources } from "@configc/language-server/samples";
import type { ProjectSettings, RuleLevels } from "./project-settings.ts";
import { type ParseSettings, readSettings } from "./read.ts";

export const SETTINGS_NAME = "configc.config.json";

/** Where settings come from. */
export type SettingsSource =
  /** From the nearest `configc.config.json`. */
  { readonly kind: "search" } | { readonly kind: "none" } | { readonly kind: "file"; readonly path: string };

/** Finds the settings of files and folders, and reads each settings file once. */
export class SettingsFinder {
  private readonly levels: RuleLevels;
  private readonly parse: ParseSettings;
  private readonly byFolder = new Map<string, ProjectSettings | undefined>();
  private readonly byProject = new Map<ProjectSettings | undefined, Partial<Settings>>();
  /** The same for every file: from a file that was named, or none. */
  private readonly fixed: { readonly project: ProjectSettings | undefined } | undefined;

  /**
   * @param levels of rules on the command line, which win over those of the settings
   * @param parse tells what a settings file says; what it throws goes to whoever asks for settings
   * @throws UsageError if the named settings file can't be read
   */
  constructor(source: SettingsSource, levels: RuleLevels, parse: ParseSettings) {
    this.levels = levels;
    this.parse = parse;
    if (source.kind === "none") this.fixed = { project: undefined };
    else if (source.kind === "file") this.fixed = { project: readSettings(resolve(source.path), parse) };
  }

  /** @throws UsageError if a settings file is wrong */
  ofFolder(folder: string): ProjectSettings | undefined {
    if (this.fixed !== undefined) return this.fixed.project;
    if (this.byFolder.has(folder)) return this.byFolder.get(folder);
    const path = join(folder, SETTINGS_NAME);
    const parent = dirname(folder);
    const found = existsSync(path)
      ? readSettings(path, this.parse)
      : parent === folder
        ? undefined
        : this.ofFolder(parent);
    this.byFolder.set(folder, found);
    return found;
  }

  /** What the compiler is told about a file; the same object for files with the same settings. */
  ofFile(absolute: string): Partial<Settings> {
    const project = this.ofFolder(dirname(absolute));
    let settings = this.byProject.get(project);
    if (settings === undefined) {
      const { compiler = {} } = project ?? {};
      settings = { ...compiler, rules: { ...compiler.rules, ...this.levels } };
      this.byProject.set(project, settings);
    }
    return settings;
  }

  /** Where the samples of a file are, besides beside it. */
  samplesOf(absolute: string): SampleSources | undefined {
    return this.ofFolder(dirname(absolute))?.samples;
  }

  /** The settings files that were read. */
  get paths(): string[] {
    const projects = [...this.byFolder.values(), this.fixed?.project];
    return [...new Set(projects.flatMap((project) => (project === undefined ? [] : [project.path])))];
  }
}
