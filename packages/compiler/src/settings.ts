import type { ResourceField } from "./language/index.ts";

/** How grave a finding is; `check` fails for errors, and for warnings where it is asked to. */
export type Severity = "error" | "warning" | "info" | "hint";

/** `configc.config.json`. Every member has a default; see `docs/settings.md`. */
export interface Settings {
  /** `core` reports each use of an extended feature and turns tolerances (D41) into errors. */
  readonly language: "extended" | "core";
  /** Level of members that the specification doesn't list (D4). */
  readonly unknownMembers: "error" | "warning";
  /** Levels by rule id. */
  readonly rules: Readonly<Record<string, Severity | "off">>;
  /** What the platform calls its resources, and which it has besides the standard ones (D25). */
  readonly resources: ResourceSettings;
  /** Origins besides `api.base_url`'s that credentials may go to (D18). */
  readonly origins: readonly string[];
}

/** How a platform brands its resources, and which it has besides (D25). */
export interface ResourceSettings {
  /** Instead of `Platform` in `PlatformContact`. */
  readonly prefix?: string;
  /** Further resources by name, without the prefix, with their fields. */
  readonly add?: Readonly<Record<string, { readonly fields?: readonly ResourceField[] }>>;
}

/** What counts where there is no settings file, or it doesn't say. */
export const defaultSettings: Settings = {
  language: "extended",
  unknownMembers: "error",
  rules: {},
  resources: {},
  origins: [],
};
