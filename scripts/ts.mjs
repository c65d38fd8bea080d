// Runs a TypeScript script of this repository: `node scripts/ts.mjs scripts/docs.ts --check`.
//
// Node 20 can't run TypeScript. The script is bundled with the sources of our packages, so nothing has to be built first,
// into node_modules/.cache, from where Node finds the other packages.

import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { sources } from "./sources.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
// Published as UMD with an ES module beside it: Node would load the former, without named exports.
const bundled = new Set(["jsonc-parser"]);

/** @type {import("esbuild").Plugin} */
const externalPackages = {
  name: "external-packages",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === "entry-point" || path.startsWith("@configc/") || bundled.has(path)) return undefined;
      return { path, external: true };
    });
  },
};

/**
 * Each module keeps its own `import.meta.url`, so that files beside it are found.
 *
 * @type {import("esbuild").Plugin}
 */
const ownUrls = {
  name: "own-urls",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: source.replaceAll("import.meta.url", url), loader: "ts" };
    });
  },
};

const folder = join(root, "node_modules/.cache/configc");

async function run(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    mainFields: ["module", "main"],
    sourcemap: "inline",
    logLevel: "error",
    alias: sources,
    plugins: [externalPackages, ownUrls],
  });
  mkdirSync(folder, { recursive: true });
  const output = join(folder, `${basename(entry, ".ts")}.mjs`);
  // Another process may be running the same script: it must never read half a file.
  const temporary = `${output}.${process.pid}`;
  writeFileSync(temporary, outputFiles[0].contents);
  renameSync(temporary, output);
  process.setSourceMapsEnabled(true);
  process.argv.splice(1, 1);
  await import(pathToFileURL(output).href);
}

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("Usage: node scripts/ts.mjs FILE [ARGUMENT…]");
  process.exitCode = 2;
} else await run(resolve(file));
