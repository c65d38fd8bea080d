import { existsSync, readFileSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

const file = fileURLToPath(new URL("../dist/main.cjs", import.meta.url));
/** What V8 made of the command at build time; it refuses that of another version of itself. */
export const cacheFile = fileURLToPath(new URL("../dist/main.cache", import.meta.url));

export const isBuilt = () => existsSync(file);

/**
 * Loads the command. Reading it costs as much as checking a config, so the compiled code is kept beside it: by the build for the
 * Node that built it, by Node itself from 22.1 on.
 *
 * @returns {{ script: Script | undefined, main: (argv: readonly string[]) => Promise<number> }}
 */
export function load() {
  const cachedData = existsSync(cacheFile) ? readFileSync(cacheFile) : undefined;
  if (cachedData !== undefined) {
    const script = compile(cachedData);
    if (script.cachedDataRejected !== true) return { script, main: run(script).main };
  }
  module.enableCompileCache?.();
  return { script: undefined, main: createRequire(file)(file).main };
}

/** Compiles the command as Node compiles a CommonJS module. */
export function compile(cachedData) {
  const source = readFileSync(file, "utf8");
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  return new Script(wrapped, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
}

export function run(script) {
  const loaded = { exports: {} };
  script.runInThisContext()(loaded.exports, createRequire(file), loaded, file, dirname(file));
  return loaded.exports;
}
