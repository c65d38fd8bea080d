/**
 * What a module made by `configc build` consists of, but for the app: `scripts/build.mjs` bundles this file with the runtime ahead of
 * time, and the verb puts the app before it. Nothing imports it.
 */
import type { App } from "@configc/compiler";
import * as runtime from "@configc/runtime";

/** The compiled app as JSON text; reading that is faster than reading the same as JavaScript. */
declare const CONFIGC_APP: string;

/** The compiled app: what `createHost` of @configc/host takes. */
export const app: App = JSON.parse(CONFIGC_APP);

/**
 * Makes the app's runtime.
 *
 * @param effects what it may do to the world; only `http` has no default
 */
export function createApp(effects: runtime.GivenEffects, options?: runtime.RuntimeOptions): runtime.Runtime {
  return runtime.createRuntime(app, runtime.portableEffects(effects), options);
}

export * from "@configc/runtime";
