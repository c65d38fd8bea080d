import type { App } from "@configc/compiler";
import { packageInfo, readBuilt } from "../package-info.ts";

/** What the bundle of the runtime is called in `dist`; `scripts/build.mjs` makes it. */
const BUNDLE = "app-module.js";

/**
 * The text of a self-contained ES module: the app as JSON text, and the runtime after it. Nothing of the config becomes code, so
 * no config can change what the module does besides running it.
 */
export function moduleText(app: App, file: string): string {
  const version = packageInfo().version;
  // Line ends of any kind would end the comment.
  const name = file.replace(/[^\x20-\x7e]/g, "?");
  return [
    `// Built by configc ${version} from ${name}. Build it again instead of editing it.`,
    "/* eslint-disable */",
    // JSON text as a string: an engine reads that faster than the same as an object literal, and `__proto__` stays a name.
    `const CONFIGC_APP = ${JSON.stringify(JSON.stringify(app))};`,
    readBuilt(BUNDLE),
  ].join("\n");
}
