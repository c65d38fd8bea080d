// Builds every package: bundles by esbuild into packages/*/dist, declarations by tsc.
// Usage: node scripts/build.mjs [--no-types | --only-types] [--only-extension]
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { minify } from "terser";
import { buildExtension } from "./extension-build.mjs";
import { noticesOf } from "./notices.mjs";
import { copyPages } from "./pages.mjs";
import { buildPlayground } from "./playground-build.mjs";
import { sources } from "./sources.mjs";
import {
  withoutBuiltinTexts,
  withoutEvidence,
  withoutHints,
  withoutOpenApi,
  withoutPropertyNames,
  withoutReference,
  withoutRulePages,
} from "./without-pages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const common = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  target: "node20",
  sourcemap: false,
  legalComments: "external",
  logLevel: "warning",
  // Packages with both builds have their ES modules in `module`; their UMD can't be bundled.
  mainFields: ["module", "main"],
};

/** Libraries keep their siblings and dependencies as imports. */
const libraries = [
  { name: "jq", platform: "neutral", entries: ["index", "run", "types", "editor/index", "internal"] },
  { name: "compiler", platform: "neutral", entries: ["index", "internal", "graph/index"] },
  { name: "runtime", platform: "neutral", entries: ["index", "internal"] },
  { name: "simulate", platform: "neutral" },
  { name: "debug", platform: "node", entries: ["index", "adapter/index", "node/index"] },
  { name: "scaffold", platform: "neutral" },
  { name: "host", platform: "node", entries: ["index", "internal", "portable/index"] },
  { name: "engine-dbos", platform: "node", entries: ["index", "command", "telemetry/index"] },
  { name: "language-server", platform: "node", entries: ["index", "node", "samples/index"] },
];

async function libraryBuild({ name, platform, entries = ["index"] }) {
  const folder = `packages/${name}`;
  // Shared files are named by their content: those of earlier builds would stay, and be published.
  rmSync(`${root}/${folder}/dist/shared`, { recursive: true, force: true });
  const { metafile } = await build({
    ...common,
    metafile: true,
    platform,
    entryPoints: entries
      .map((entry) => `${folder}/src/${entry}.ts`)
      .filter((path) => existsSync(`${root}/${path}`)),
    outdir: `${folder}/dist`,
    // What the entries of a package share is in files of its own: a browser that wants one doesn't load the others.
    splitting: entries.length > 1,
    chunkNames: "shared/[hash]",
    external: ["@configc/*", ...dependenciesOf(folder)],
  });
  writeNotices(`${root}/${folder}/dist`, [metafile]);
}

/** Each package is published with the licence, which npm takes from its own folder only. */
function copyLicence() {
  for (const name of [...libraries.map((library) => library.name), "cli"])
    copyFileSync(`${root}/LICENSE`, `${root}/packages/${name}/LICENSE`);
}

/** The licences of what is bundled go with it. */
function writeNotices(folder, metafiles) {
  const text = noticesOf(root, metafiles);
  const file = `${folder}/THIRD-PARTY-NOTICES.txt`;
  if (text === undefined) rmSync(file, { force: true });
  else writeFileSync(file, text);
}

/** Packages whose ES modules Node can't load: they are bundled, all others are installed beside a library. */
const bundled = ["jsonc-parser"];

function dependenciesOf(folder) {
  const manifest = JSON.parse(readFileSync(`${root}/${folder}/package.json`, "utf8"));
  const all = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
  return Object.keys(all).filter((name) => !bundled.includes(name));
}

/** What needs libraries that most checks don't: files of their own, so that these aren't loaded. */
const heavy = {
  modules: "packages/cli/src/verbs/modules.ts",
  lsp: "packages/cli/src/verbs/lsp.ts",
  mcp: "packages/cli/src/verbs/mcp.ts",
  running: "packages/cli/src/verbs/running.ts",
  "graph-svg": "packages/cli/src/verbs/graph-svg.ts",
  openapi: "packages/language-server/src/samples/openapi.ts",
};

/** @type {import("esbuild").Plugin} */
const heavyApart = {
  name: "heavy-apart",
  setup({ onResolve }) {
    const filter = new RegExp(`^(?:\\.{1,2}/)+(?:[a-z]+/)?(?:${Object.keys(heavy).join("|")})\\.ts$`);
    onResolve({ filter }, ({ path, kind }) =>
      // In the build all files are in one folder.
      kind === "dynamic-import" ? { path: `./${basename(path, ".ts")}.cjs`, external: true } : undefined,
    );
  },
};

/**
 * jsonc-parser doesn't say that loading it has no effects, so what nobody uses of it would run too: its formatter makes 1,200 strings at each start.
 *
 * @type {import("esbuild").Plugin}
 */
const unusedPartsApart = {
  name: "unused-parts-apart",
  setup({ onResolve, resolve }) {
    const seen = Symbol("seen");
    onResolve({ filter: /^(?:jsonc-parser$|\.)/ }, async ({ path, pluginData, ...from }) => {
      const isOwn = path === "jsonc-parser" || /[\\/]jsonc-parser[\\/]/.test(from.importer);
      if (pluginData === seen || !isOwn) return undefined;
      const { importer, resolveDir, kind } = from;
      return {
        ...(await resolve(path, { importer, resolveDir, kind, pluginData: seen })),
        sideEffects: false,
      };
    });
  },
};

/**
 * The command is self-contained: what every run needs in one file, what compiles in another one. That starts faster than a chunk for each verb
 * (docs/dependencies.md).
 */
async function cliBuild() {
  rmSync(`${root}/packages/cli/dist`, { recursive: true, force: true });
  const options = {
    ...common,
    platform: "node",
    minify: true,
    alias: sources,
    plugins: [heavyApart, unusedPartsApart],
  };
  await build({ ...options, entryPoints: ["packages/cli/src/index.ts"], outdir: "packages/cli/dist" });
  const { metafile } = await build({
    ...options,
    metafile: true,
    format: "cjs",
    // The command reads its own code as such (packages/cli/bin/load.js).
    charset: "ascii",
    entryPoints: { main: "packages/cli/src/main.ts", ...heavy },
    outdir: "packages/cli/dist",
    outExtension: { ".js": ".cjs" },
    // A script that is run from V8's code cache can't import, only require.
    supported: { "dynamic-import": false },
    // The store's driver is optional, and found by Node when it is there.
    external: ["libsql", "node:sqlite"],
    define: { "import.meta.url": "__url" },
    banner: { js: 'const __url=require("node:url").pathToFileURL(__filename).href;' },
    // Pages of rules are a quarter of what a check would load and never shows.
    plugins: [...options.plugins, withoutRulePages],
  });
  for (const name of ["main", "modules"]) escapePatterns(`${root}/packages/cli/dist/${name}.cjs`);
  await writeRulePages(`${root}/packages/cli/dist`, options.alias);
  // Threads of their own, of a file that is there anyway.
  writeFileSync(
    `${root}/packages/cli/dist/simulate-worker.cjs`,
    'require("./running.cjs").simulateInThread();\n',
  );
  writeFileSync(
    `${root}/packages/cli/dist/debug-worker.cjs`,
    'require("./running.cjs").debugRunInThread();\n',
  );
  writeNotices(`${root}/packages/cli/dist`, [metafile]);
  copyPages(root, `${root}/packages/cli/dist`, ["rules", "language"]);
  await appModuleBuild(options.alias);
  writeBuildId(`${root}/packages/cli/dist`);
  run("scripts/code-cache.mjs");
}

/** esbuild leaves patterns as they are written (`/[–—]/`). Whatever else isn't ASCII, it has escaped. */
function escapePatterns(file) {
  const text = readFileSync(file, "utf8");
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  // Without the flag `u` it goes through the units of UTF-16, of which escapes are made too.
  writeFileSync(file, text.replace(/[^\0-\x7f]/g, escaped));
}

/** What the pages of rules show, for the verbs that show it (packages/cli/src/rule-pages.ts). */
async function writeRulePages(folder, alias) {
  const file = `${folder}/rules.mjs`;
  await build({
    ...common,
    platform: "node",
    alias,
    entryPoints: ["packages/compiler/src/rules.ts"],
    outfile: file,
  });
  const { rules } = await import(pathToFileURL(file).href);
  rmSync(file);
  const pages = rules.map(({ id, summary, why, guards, examples }) => [
    id,
    { summary, why, guards, examples },
  ]);
  writeFileSync(`${folder}/rule-pages.json`, JSON.stringify(Object.fromEntries(pages)));
}

/** A hash of all that findings depend on: those of another build aren't taken for this one's. */
function writeBuildId(folder) {
  const hash = createHash("sha256");
  for (const name of ["main.cjs", "modules.cjs", "openapi.cjs"])
    hash.update(readFileSync(`${folder}/${name}`));
  writeFileSync(`${folder}/build-id`, hash.digest("hex"));
}

/** The runtime as `configc build` puts it behind a compiled app: users of it need no bundler. */
async function appModuleBuild(alias) {
  await build({
    ...common,
    platform: "neutral",
    minify: true,
    legalComments: "inline",
    alias,
    entryPoints: ["packages/cli/src/build/app-module.ts"],
    outfile: "packages/cli/dist/app-module.js",
  });
}

/** For pages: one minified file each, with all that it needs. */
async function browserBuilds() {
  const options = {
    ...common,
    platform: "browser",
    target: "es2022",
    mainFields: ["browser", "module", "main"],
    minify: true,
    alias: sources,
    plugins: [withoutRulePages],
  };
  await Promise.all([compilerForPages(options), workerBuild(options)]);
}

/** Made smaller once more than esbuild does: it has a budget, and rules keep coming. */
async function compilerForPages(options) {
  const { outputFiles } = await build({
    ...options,
    // Names and blanks are shortened once, by what comes after; fields that constructors set needn't be declared.
    minify: false,
    minifySyntax: true,
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    plugins: [
      withoutOpenApi,
      withoutHints,
      withoutEvidence,
      withoutReference,
      withoutBuiltinTexts,
      withoutPropertyNames,
    ],
    entryPoints: ["packages/compiler/src/browser.ts"],
    outfile: "packages/compiler/dist/browser.js",
    write: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, path.endsWith(".js") ? await smallest(text) : text);
  }
}

async function smallest(text) {
  const { code } = await minify(text, {
    module: true,
    ecma: 2020,
    // What turns constants to the left and functions inside out is shorter, but not once it is compressed.
    compress: {
      passes: 3,
      unsafe_arrows: true,
      lhs_constants: false,
      inline: 1,
      sequences: false,
      // No getter of ours does anything that is seen otherwise.
      pure_getters: true,
    },
  });
  return code;
}

async function workerBuild(options) {
  await build({
    ...options,
    format: "iife",
    entryPoints: ["packages/language-server/src/worker.ts"],
    outfile: "packages/language-server/dist/worker.js",
  });
}

/** Runs a script of ours in a process of its own. */
function run(script) {
  const { status } = spawnSync(process.execPath, [script], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`${script} failed`);
}

function declarations() {
  const tsc = `${root}node_modules/typescript-7/bin/tsc`;
  const { status } = spawnSync(process.execPath, [tsc, "-b", "packages/cli", "packages/engine-dbos"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}

const has = (option) => process.argv.includes(option);
if (!has("--only-extension") && !has("--only-types")) {
  copyLicence();
  await Promise.all(libraries.map(libraryBuild));
  await Promise.all([cliBuild(), browserBuilds(), buildPlayground({ root, docs: process.env["DOCS_URL"] })]);
}
if (!has("--only-types")) await buildExtension({ root, common, alias: sources, plugins: [withoutRulePages] });
if (!has("--no-types")) declarations();
