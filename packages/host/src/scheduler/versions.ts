import { createHash } from "node:crypto";
import type { App } from "@configc/compiler";
import type { Runtime } from "@configc/runtime";

/** The apps of a host. A run that began with one version of an app ends with it, though another is published meanwhile. */
export interface Versions {
  /** By the host's name for the app: what new runs begin with. */
  readonly current: ReadonlyMap<string, Runtime>;
  /** What a run of the app that begins now ends with. */
  versionOf(app: string): Promise<string>;
  /** @returns undefined for an app that the host doesn't have (any more) */
  runtime(app: string, version: string): Promise<Runtime | undefined>;
}

/** One version of each app: jobs don't outlive the process. */
export function onlyVersion(current: ReadonlyMap<string, Runtime>): Versions {
  return { current, versionOf: async () => "", runtime: async (app) => current.get(app) };
}

/**
 * The name of a version of an app: a digest of all of it, the source map too. Two that differ only in their places are two, for failures name places.
 *
 * @param name the host's name for the app
 */
export function versionOf(name: string, app: App): string {
  let known = names.get(app);
  if (known?.name !== name) {
    const text = JSON.stringify(app);
    known = { name, version: createHash("sha256").update(`${name}\n${text}`).digest("hex").slice(0, 32) };
    names.set(app, known);
  }
  return known.version;
}

const names = new WeakMap<App, { readonly name: string; readonly version: string }>();
