import { setFlagsFromString } from "node:v8";

/**
 * Lets the engine translate functions to plain machine code again, where `bin/load.js` has turned that off: it pays from some dozen files, or
 * 100 kB, on.
 *
 * To be called when everything is loaded: with other flags the engine refuses the code that it has kept.
 */
export function allowBaselineCode(): void {
  if (process.versions.v8.startsWith("11.3.")) setFlagsFromString("--sparkplug");
}
