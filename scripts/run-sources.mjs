// Our sources as JavaScript that Node loads by itself. Tests take them instead of what vitest makes of each file: there every name
// that is imported is looked up in a table at each use, and every worker asks another process for every file.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { sources } from "./sources.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = join(root, "node_modules/.cache/configc/sources");
/** Packages whose ES modules Node can't load: they are bundled. */
const bundled = ["jsonc-parser"];

/**
 * Writes all of `packages/*\/src` to a folder of the cache, each file by itself, with its own `import.meta.url`. What is there
 * already isn't written again, so that several runs can do it at once.
 *
 * @returns where the JavaScript of a source stands, or undefined for a path that is no source of ours
 */
export async function writeSources() {
  const files = packages().flatMap((name) => sourcesBelow(join(root, "packages", name, "src")));
  const { outputFiles } = await build({
    entryPoints: files.filter((path) => path.endsWith(".ts")),
    absWorkingDir: root,
    outbase: root,
    outdir: output,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "error",
  });
  for (const { path, text } of outputFiles) write(path, withRunnableImports(path, text));
  for (const path of files.filter((file) => file.endsWith(".json")))
    write(`${inOutput(path)}.js`, `export default ${readFileSync(path, "utf8")};\n`);
  await bundlePackages();
  write(join(output, "package.json"), '{"type":"module"}\n');
  for (const name of packages()) linkPackages(name);
  const written = new Set(files.filter((path) => path.endsWith(".ts")));
  return (path) => (written.has(path) ? runnable(path) : undefined);
}

const packages = () =>
  readdirSync(join(root, "packages")).filter((name) =>
    existsSync(join(root, "packages", name, "src/index.ts")),
  );

/** @param {string} folder */
function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesBelow(path);
    return /\.(?:ts|json)$/.test(path) ? [path] : [];
  });
}

const inOutput = (path) => join(output, relative(root, path));
const runnable = (path) => inOutput(path).replace(/\.ts$/, ".js");

function withRunnableImports(path, text) {
  const source = join(root, relative(output, path)).replace(/\.js$/, ".ts");
  const from = (target) => {
    const way = relative(dirname(path), target).split(sep).join("/");
    return JSON.stringify(way.startsWith(".") ? way : `./${way}`);
  };
  return text
    .replace(
      /^(import .*?|(?:import|export) [^;]*? from |} from )"([^"\n]+)"(?: with \{ ?type: "json" ?\})?;$/gm,
      (whole, start, name) => {
        const target = targetOf(source, name);
        return target === undefined ? whole : `${start}${from(target)};`;
      },
    )
    .replace(/\bimport\("([^"\n]+)"\)/g, (whole, name) => {
      const target = targetOf(source, name);
      return target === undefined ? whole : `import(${from(target)})`;
    })
    .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(source).href));
}

/** What is imported by a name, in the output; undefined for other packages. */
function targetOf(source, name) {
  if (name.startsWith(".")) {
    const path = join(dirname(source), name);
    return name.endsWith(".json") ? `${inOutput(path)}.js` : runnable(path);
  }
  if (bundled.includes(name)) return join(output, `${name}.js`);
  return sources[name] === undefined ? undefined : runnable(sources[name]);
}

async function bundlePackages() {
  const { outputFiles } = await build({
    entryPoints: bundled,
    absWorkingDir: root,
    outdir: output,
    bundle: true,
    write: false,
    format: "esm",
    mainFields: ["module", "main"],
    logLevel: "error",
  });
  for (const { path, text } of outputFiles) write(path, text);
}

/** What npm has installed for one package only is found from its output too. */
function linkPackages(name) {
  const link = join(output, "packages", name, "node_modules");
  const target = join(root, "packages", name, "node_modules");
  if (existsSync(target) && !existsSync(link)) symlinkSync(target, link, "junction");
}

/** Another process may read the file meanwhile: it never reads half of it. */
function write(path, text) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}
