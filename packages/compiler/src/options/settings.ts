import {
  builtinDialect,
  completeDialect,
  type Dialect,
  type DialectFile,
  type ResourceField,
} from "../language/index.ts";

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
  /** What the platform does otherwise than the built-in dialect has it (D44). */
  readonly dialect: DialectFile;
  /** What the platform calls its resources, and which it has besides the standard ones (D25): wins over the dialect. */
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
  dialect: {},
  resources: {},
  origins: [],
};

const dialects = new WeakMap<DialectFile, Dialect>();

/** The dialect that settings choose, complete. */
export function dialectOf({ dialect }: Pick<Settings, "dialect">): Dialect {
  if (dialect === defaultSettings.dialect) return builtinDialect;
  let complete = dialects.get(dialect);
  if (complete === undefined) {
    complete = completeDialect(dialect);
    dialects.set(dialect, complete);
  }
  return complete;
}

/** The brand of a platform's resources, and those that it has besides the standard ones: the dialect's, then the settings' own. */
export function resourceSettings(
  settings: Partial<Pick<Settings, "dialect" | "resources">>,
): Required<ResourceSettings> {
  const { brand, resources } = dialectOf({ dialect: settings.dialect ?? defaultSettings.dialect });
  const { prefix = brand, add } = settings.resources ?? {};
  return { prefix, add: { ...resources, ...add } };
}
