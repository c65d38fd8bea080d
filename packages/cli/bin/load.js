import { existsSync, readFileSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

/** The command's files that are loaded from V8's code cache: what every run needs, and what compiles. */
const chunks = ["main", "modules"];

/**
 * How soon the engine compiles what runs again and again. By its defaults it compiles far more than pays in a command that runs for a tenth of a
 * second. By these it optimises a function eight times later and a regular expression after 20 uses, and translates nothing to
 * plain machine code until `check` allows that (`src/check/baseline-code.ts`).
 *
 * Whatever loads kept code has to have the same ones: V8 refuses what was made with others.
 */
const flags = ["--interrupt-budget=1056000", "--regexp-tier-up-ticks=20", "--no-sparkplug"];

const pathOf = (name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

export const isBuilt = () => chunks.every((name) => existsSync(pathOf(`${name}.cjs`)));

/**
 * Loads the command. Reading it costs as much as checking a config, so the compiled code is kept beside it: by the build for the
 * Node that built it, by Node itself from 22.1 on.
 *
 * @param {boolean} [cached] whether to use what the build has kept
 * @returns {{ readonly main: (argv: readonly string[]) => Promise<number>, readonly modules: object, isCached: () => boolean, saveCaches: (write: (path: string, data: Buffer) => void) => void }}
 */
export function load(cached = true) {
  for (const flag of flags) setFlagsFromString(flag);
  const loaded = new Map();
  const loadChunk = (name) => {
    if (!loaded.has(name)) loaded.set(name, chunk(name, cached, require));
    return loaded.get(name).exports;
  };
  const require = (id) => {
    const name = chunks.find((each) => id === `./${each}.cjs`);
    return name === undefined ? native(id) : loadChunk(name);
  };
  return {
    get main() {
      return loadChunk("main").main;
    },
    get modules() {
      return loadChunk("modules");
    },
    isCached: () =>
      chunks.every((name) => loadChunk(name) !== undefined && loaded.get(name).script !== undefined),
    saveCaches(write) {
      for (const [name, { script }] of loaded) write(pathOf(`${name}.cache`), script.createCachedData());
    },
  };
}

const native = createRequire(pathOf("main.cjs"));

/** Runs one of the files as Node runs a CommonJS module. */
function chunk(name, cached, require) {
  const file = pathOf(`${name}.cjs`);
  const cache = pathOf(`${name}.cache`);
  const cachedData = cached && existsSync(cache) ? readFileSync(cache) : undefined;
  // The build writes ASCII only, and this is read ten times as fast as UTF-8.
  const source = readFileSync(file, "latin1");
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const script = new Script(wrapped, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  // V8 refuses what another version of itself has made.
  if (cached && script.cachedDataRejected !== false) {
    module.enableCompileCache?.();
    return { exports: native(file) };
  }
  const loaded = { exports: {} };
  script.runInThisContext()(loaded.exports, require, loaded, file, dirname(file));
  return { exports: loaded.exports, script };
}
