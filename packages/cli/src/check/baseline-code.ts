import * as nodeModule from "node:module";
import { setFlagsFromString } from "node:v8";

let isAllowed = false;

/**
 * Lets the engine translate functions to plain machine code again, which `bin/load.js` has turned off: that pays from some dozen files, or
 * 100 kB, on.
 *
 * To be called when everything is loaded: with other flags the engine refuses the code that it has kept, and what it keeps then is refused
 * without them.
 */
export function allowBaselineCode(): void {
  if (isAllowed) return;
  isAllowed = true;
  const { flushCompileCache, enableCompileCache } = nodeModule as {
    flushCompileCache?: () => void;
    enableCompileCache?: unknown;
  };
  // Node keeps what it has compiled when it ends, unless it is told to do it now.
  if (flushCompileCache === undefined && enableCompileCache !== undefined) return;
  flushCompileCache?.();
  setFlagsFromString("--sparkplug");
}
