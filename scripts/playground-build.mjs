// Builds the playground into packages/playground/dist: a page, its style, three workers, and the examples.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { noticesOf } from "./notices.mjs";
import { withoutRulePages } from "./without-pages.mjs";

/** Our packages by their sources, so that nothing has to be built before. */
const sources = {
  "@configc/jq": "jq/src/index.ts",
  "@configc/jq/internal": "jq/src/internal.ts",
  "@configc/compiler": "compiler/src/index.ts",
  "@configc/compiler/internal": "compiler/src/internal.ts",
  "@configc/compiler/graph": "compiler/src/graph/index.ts",
  "@configc/runtime": "runtime/src/index.ts",
  "@configc/runtime/internal": "runtime/src/internal.ts",
  // Its index brings the server on standard input and output along, which needs Node.
  "@configc/language-server": "language-server/src/server.ts",
  "@configc/host/portable": "host/src/portable/index.ts",
};

/**
 * @param {{root: string, dist?: string, docs?: string}} `dist`: where the page goes; `docs`: the URL below which the
 * repository's `docs` are published
 */
export async function buildPlayground({ root, dist = `${root}/packages/playground/dist`, docs = "" }) {
  const alias = Object.fromEntries(
    Object.entries(sources).map(([name, path]) => [name, `${root}/packages/${path}`]),
  );
  const source = `${root}/packages/playground/src`;
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const options = {
    absWorkingDir: root,
    bundle: true,
    platform: "browser",
    target: "es2022",
    mainFields: ["browser", "module", "main"],
    minify: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    alias,
    define: { DOCS: JSON.stringify(docs) },
    plugins: [examplesOf(`${root}/examples`)],
  };
  const worker = { ...options, format: "iife" };
  const results = await Promise.all([
    build({
      ...options,
      format: "esm",
      entryPoints: [`${source}/main.ts`],
      outfile: `${dist}/playground.js`,
    }),
    build({ ...options, entryPoints: [`${source}/style/page.css`], outfile: `${dist}/playground.css` }),
    build({ ...options, entryPoints: [`${source}/style/editor.css`], outfile: `${dist}/editor.css` }),
    build({ ...worker, entryPoints: [`${source}/tools/worker.ts`], outfile: `${dist}/tools.js` }),
    build({
      ...worker,
      plugins: [withoutRulePages],
      entryPoints: [`${source}/server/worker.ts`],
      outfile: `${dist}/language-server.js`,
    }),
  ]);
  const notices = noticesOf(
    root,
    results.map(({ metafile }) => metafile),
  );
  writeFileSync(`${dist}/THIRD-PARTY-NOTICES.txt`, notices ?? "");
  for (const name of ["index.html", "about.html", "icon.svg"]) cpSync(`${source}/${name}`, `${dist}/${name}`);
  const files = readdirSync(dist).filter((name) => !name.endsWith(".txt"));
  const hash = createHash("sha256");
  for (const name of files) hash.update(readFileSync(`${dist}/${name}`));
  const define = {
    BUILD: JSON.stringify(`configc-playground-${hash.digest("hex").slice(0, 12)}`),
    // The page itself is asked for as its folder.
    FILES: JSON.stringify(["./", ...files.filter((name) => name !== "index.html")]),
  };
  await build({ ...worker, define, entryPoints: [`${source}/offline.ts`], outfile: `${dist}/offline.js` });
}

/**
 * The examples as a module, with their recorded cases.
 *
 * @returns {import("esbuild").Plugin}
 */
function examplesOf(folder) {
  return {
    name: "examples",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^playground:examples$/ }, ({ path }) => ({ path, namespace: "examples" }));
      onLoad({ filter: /.*/, namespace: "examples" }, () => ({
        contents: JSON.stringify(readdirSync(folder).sort().flatMap(read)),
        loader: "json",
        watchDirs: [folder],
      }));
    },
  };

  function read(id) {
    const readme = `${folder}/${id}/README.md`;
    if (!existsSync(readme)) return [];
    const [, title = id] = /^# (.+)$/m.exec(readFileSync(readme, "utf8")) ?? [];
    const files = readdirSync(`${folder}/${id}`);
    const file = files.find((name) => /\.app\.jsonc?$/.test(name));
    const test = files.find((name) => name.endsWith(".apptest.json"));
    const { cases } =
      test === undefined ? { cases: [] } : JSON.parse(readFileSync(`${folder}/${id}/${test}`, "utf8"));
    return [{ id, title, file, text: readFileSync(`${folder}/${id}/${file}`, "utf8"), cases }];
  }
}
