// Builds the extension for VS Code into extension/dist: its entries, the server that it brings along, grammars, schemas,
// templates, and the notices of what is bundled.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { noticesOf } from "./notices.mjs";
import { copyPages } from "./pages.mjs";

/**
 * The server of the desktop is the verb `lsp`: every editor talks to the same program, with the same settings files and the
 * same guard on what a run may reach. `test FILE` runs a test file as CI does, and
 * `test-coverage FILE` tells besides what of the config ran.
 */
const server = `
import { Arguments } from "./packages/cli/src/command-line/arguments.ts";
import { run } from "./packages/cli/src/verbs/lsp.ts";
const [verb, ...files] = process.argv.slice(2);
if (verb === "test" || verb === "test-coverage")
  import("./packages/cli/src/verbs/test.ts")
    .then((test) => test.run(new Arguments(files, [{ name: "format", values: ["json"] }, ...(verb === "test" ? [] : [{ name: "coverage" }])])))
    .then((status) => { process.exitCode = status; });
else if (verb === "simulate-worker")
  import("./packages/cli/src/simulate/simulate-worker.ts").then((worker) => worker.simulateInThread());
else if (verb === "debug")
  import("./packages/cli/src/verbs/debug.ts")
    .then((debug) => debug.run(new Arguments([], [{ name: "stdio" }])))
    .then((status) => { process.exitCode = status; });
else if (verb === "debug-worker")
  import("./packages/cli/src/debug/debug-worker.ts").then((worker) => worker.debugRunInThread());
else run();
`;

/** A simulation, and a run that is debugged, has a thread of the same file: what all need is there once. */
const worker = (name) => `process.argv.push("${name}");\nrequire("./server.cjs");\n`;

/**
 * @param {{root: string, common: import("esbuild").BuildOptions, alias: Record<string, string>,
 *   plugins: import("esbuild").Plugin[]}} from build.mjs
 */
export async function buildExtension({ root, common, alias, plugins }) {
  const dist = `${root}/extension/dist`;
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const options = { ...common, minify: true, metafile: true, legalComments: "none", alias };
  const node = {
    ...options,
    platform: "node",
    format: "cjs",
    external: ["vscode", "libsql", "node:sqlite"],
    define: { "import.meta.url": "__url" },
    banner: { js: 'const __url=require("node:url").pathToFileURL(__filename).href;' },
  };
  const browser = {
    ...options,
    platform: "browser",
    target: "es2022",
    mainFields: ["browser", "module", "main"],
    plugins,
  };
  const results = await Promise.all([
    // VS Code in a browser loads extensions as CommonJS, and the server is a classic worker.
    build({
      ...browser,
      format: "cjs",
      external: ["vscode"],
      entryPoints: ["extension/src/browser.ts"],
      outfile: `${dist}/browser/extension.js`,
    }),
    build({
      ...browser,
      format: "iife",
      entryPoints: ["packages/language-server/src/worker.ts"],
      outfile: `${dist}/browser/server.js`,
    }),
    build({ ...node, entryPoints: ["extension/src/extension.ts"], outfile: `${dist}/extension.cjs` }),
    build({
      ...options,
      platform: "browser",
      format: "esm",
      entryPoints: [
        ...["results", "graph", "setup", "simulation", "program", "scaffold"].flatMap((name) => [
          `extension/webview/${name}.ts`,
          `extension/webview/${name}.css`,
        ]),
        "extension/webview/program-worker.ts",
      ],
      outdir: `${dist}/webview`,
    }),
    build({ ...node, plugins, stdin: { contents: server, resolveDir: root }, outfile: `${dist}/server.cjs` }),
  ]);
  for (const name of ["simulate-worker", "debug-worker"]) writeFileSync(`${dist}/${name}.cjs`, worker(name));
  writeFileSync(
    `${dist}/THIRD-PARTY-NOTICES.txt`,
    noticesOf(
      root,
      results.map(({ metafile }) => metafile),
    ),
  );
  cpSync(`${root}/grammars`, `${dist}/grammars`, { recursive: true });
  copy(`${root}/packages/cli/schemas`, `${dist}/schemas`, ".schema.json");
  copy(`${root}/extension/schemas`, `${dist}/schemas`, ".schema.json");
  copy(`${root}/packages/cli/templates`, `${dist}/templates`, ".app.json");
  copyPages(root, dist, ["rules"]);
}

function copy(from, to, ending) {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) if (name.endsWith(ending)) cpSync(`${from}/${name}`, `${to}/${name}`);
}
