// CommonJS, as `package.json` beside it says: to start with ES modules takes 5 ms more.
const { existsSync, readFileSync } = require("node:fs");
const nodeModule = require("node:module");
const { dirname, join } = require("node:path");
const { setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");

/** The command's files that are loaded from V8's code cache: what every run needs, and what compiles. */
const chunks = ["main", "modules"];

/**
 * How soon the engine compiles what runs again and again. By its defaults, that of Node 20 compiles far more than pays in a command that runs for
 * a tenth of a second. By these it optimises a function eight times later and a regular expression after 20 uses, and translates
 * nothing to plain machine code until `check` allows that (`src/check/baseline-code.ts`). The rules have some 700 regular expressions for what
 * comments say; most are used once or twice, so shortening their bytecode takes longer than it saves. Later engines call these flags
 * otherwise, and complain of those that they don't know.
 *
 * Whatever loads kept code has to have the same ones: V8 refuses what was made with others.
 */
const flags = process.versions.v8.startsWith("11.3.")
  ? [
      "--interrupt-budget=1056000",
      "--regexp-tier-up-ticks=20",
      "--no-regexp-peephole-optimization",
      "--no-sparkplug",
    ]
  : [];

const pathOf = (name) => join(__dirname, "../dist", name);

const isBuilt = () => chunks.every((name) => existsSync(pathOf(`${name}.cjs`)));

/**
 * Loads the command. Reading it costs as much as checking a config, so the compiled code is kept beside it: by the build for the
 * Node that built it, by Node itself from 22.1 on.
 *
 * @param {boolean} [cached] whether to use what the build has kept
 * @returns {{ readonly main: (argv: readonly string[]) => Promise<number>, readonly modules: object, isCached: () => boolean, saveCaches: (write: (path: string, data: Buffer) => void) => void }}
 */
function load(cached = true) {
  for (const flag of flags) setFlagsFromString(flag);
  const loaded = new Map();
  const loadChunk = (name) => {
    if (!loaded.has(name)) loaded.set(name, chunk(name, cached, requireChunk));
    return loaded.get(name).exports;
  };
  const requireChunk = (id) => {
    if (late.has(id)) return atFirstUse(id);
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

const native = nodeModule.createRequire(pathOf("main.cjs"));

/** Node's own modules that most checks don't use: they would take a tenth of the time in which a config is checked. */
const late = new Set(["node:child_process", "node:crypto", "node:worker_threads"]);

const atFirstUse = (id) => new Proxy({}, { get: (_, name) => native(id)[name] });

/** Runs one of the files as Node runs a CommonJS module. */
function chunk(name, cached, requireChunk) {
  const file = pathOf(`${name}.cjs`);
  const cache = pathOf(`${name}.cache`);
  const cachedData = cached && existsSync(cache) ? readFileSync(cache) : undefined;
  // The build writes ASCII only, and this is read ten times as fast as UTF-8.
  const source = readFileSync(file, "latin1");
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const script = new Script(wrapped, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  // V8 refuses what another version of itself has made.
  if (cached && script.cachedDataRejected !== false) {
    nodeModule.enableCompileCache?.();
    return { exports: native(file) };
  }
  const loaded = { exports: {} };
  script.runInThisContext()(loaded.exports, requireChunk, loaded, file, dirname(file));
  return { exports: loaded.exports, script };
}

module.exports = { isBuilt, load };
