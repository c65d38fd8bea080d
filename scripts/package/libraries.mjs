// Libraries as npm would publish them: packed, examined, and loaded from their tarballs alone.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { node, npm, root, run } from "./run.mjs";

export const libraries = [
  "jq",
  "compiler",
  "runtime",
  "simulate",
  "scaffold",
  "debug",
  "host",
  "engine-dbos",
  "language-server",
];

/** Entries that only a page can load. */
const forPages = new Set(["@configc/language-server/worker"]);

const manifestOf = (name) => JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8"));

/**
 * Packs every library and puts it where an installation would.
 *
 * @param {string} folder an empty folder; afterwards its `node_modules` has the libraries from their tarballs, and what they
 *   depend on from ours
 * @returns {{ name: string, tarball: string, files: number, size: number }[]}
 */
export function install(folder) {
  const packed = JSON.parse(
    npm([
      "pack",
      "--json",
      "--pack-destination",
      folder,
      ...libraries.flatMap((name) => ["-w", `@configc/${name}`]),
    ]),
  );
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  for (const { name, filename, files } of packed) {
    for (const wanted of ["README.md", "LICENSE"])
      if (!files.some(({ path }) => path === wanted)) throw new Error(`${name} is packed without ${wanted}`);
    const own = join(folder, "node_modules", name);
    mkdirSync(own, { recursive: true });
    run("tar", ["-xzf", join(folder, filename), "--strip-components=1", "-C", own]);
  }
  const wanted = new Set(libraries.flatMap((name) => Object.keys(manifestOf(name).dependencies ?? {})));
  for (const name of wanted) {
    if (name.startsWith("@configc/")) continue;
    const own = join(folder, "node_modules", name);
    mkdirSync(dirname(own), { recursive: true });
    symlinkSync(sourceOf(name), own, "junction");
  }
  return packed.map(({ name, filename, files, size }) => ({
    name,
    tarball: join(folder, filename),
    files: files.length,
    size,
  }));
}

/** Where npm put a dependency: at the top, or below the package that wants another version. */
function sourceOf(dependency) {
  const places = [root, ...libraries.map((name) => `${root}packages/${name}/`)];
  const found = places.map((place) => `${place}node_modules/${dependency}`).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${dependency} isn't installed`);
  return found;
}

/** What publint and are-the-types-wrong say; nothing, or it fails. */
export async function examine(packed, folder) {
  const { attw } = await binaries();
  const said = [];
  for (const { name, tarball } of packed) {
    const pkgDir = join(folder, "node_modules", name);
    const { messages, pkg } = await publint({ pkgDir, pack: false, strict: true });
    said.push(...messages.map((message) => `publint: ${name}: ${formatMessage(message, pkg)}`));
    // The whole package is ES modules: what only CommonJS resolution misses isn't wrong.
    const ignored = [...forPages]
      .filter((entry) => entry.startsWith(`${name}/`))
      .map((entry) => entry.slice(name.length + 1));
    const excluded = ignored.length === 0 ? [] : ["--exclude-entrypoints", ...ignored];
    run(process.execPath, [attw, tarball, "--profile", "esm-only", ...excluded]);
  }
  if (said.length > 0) throw new Error(said.join("\n"));
}

async function binaries() {
  const manifest = JSON.parse(readFileSync(`${root}node_modules/@arethetypeswrong/cli/package.json`, "utf8"));
  return { attw: join(root, "node_modules/@arethetypeswrong/cli", manifest.bin.attw) };
}

/** This Node, and those that the variable NODES names: paths, separated as in PATH. */
const nodes = [
  process.execPath,
  ...(process.env["NODES"] ?? "").split(delimiter).filter((path) => path !== ""),
];

/** Every entry of every package, loaded by Node from what was packed. @returns {string[]} a line for each Node */
export function load(folder) {
  const entries = libraries.flatMap((name) =>
    Object.keys(manifestOf(name).exports).map((path) => `@configc/${name}${path.slice(1)}`),
  );
  const loaded = entries.filter((entry) => !forPages.has(entry));
  const script = `
    for (const entry of ${JSON.stringify(loaded)}) {
      const names = Object.keys(await import(entry));
      if (names.length === 0) throw new Error(entry + " exports nothing");
    }
    const { compile } = await import("@configc/compiler");
    const { diagnostics } = compile('{"$version": "2"}', { uri: "x.app.json" });
    if (diagnostics.length === 0) throw new Error("the compiler finds nothing");
    const { evaluate } = await import("@configc/jq");
    if (JSON.stringify(evaluate(".[] + 1", [1, 2])) !== "[2,3]") throw new Error("jq is wrong");
  `;
  const file = join(folder, "load.mjs");
  writeFileSync(file, script);
  return nodes.map((path) => {
    run(path, [file], { cwd: folder });
    const version = run(path, ["--version"]).trim();
    return `loaded by Node ${version}: ${loaded.join(", ")}`;
  });
}

/**
 * What the packages' readmes show, done with what was packed: files are written, those that are run must end well.
 *
 * @returns {string} what was shown
 */
export function useAsReadmesSay(folder) {
  const programs = libraries.flatMap((name) => {
    const text = readFileSync(join(folder, "node_modules/@configc", name, "README.md"), "utf8");
    return [...text.matchAll(/^```js (\S+)\n([\s\S]*?)^```$/gm)].map(([, file, program]) => ({
      file,
      program,
    }));
  });
  for (const { file, program } of programs) {
    writeFileSync(join(folder, file), program);
    for (const path of nodes) run(path, [file], { cwd: folder });
  }
  return `used as the readmes say: ${programs.map(({ file }) => file).join(", ")}`;
}

/**
 * Types of the packed packages, as a strict project of somebody else reads them: every entry, with all declarations that it leads to,
 * and no types installed but Node's.
 */
export function typeCheck(folder) {
  const entries = libraries.flatMap((name) => {
    const { name: own, exports } = manifestOf(name);
    return Object.entries(exports)
      .filter(([, target]) => target.types !== undefined)
      .map(([path]) => `${own}${path.slice(1)}`);
  });
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  symlinkSync(join(root, "node_modules/@types/node"), join(folder, "node_modules/@types/node"), "junction");
  writeFileSync(
    join(folder, "use.ts"),
    `${entries.map((entry, index) => `export * as entry${index} from "${entry}";`).join("\n")}
import { compile, type Diagnostic } from "@configc/compiler";
import { graphOf, toSvg } from "@configc/compiler/graph";
import { evaluate, type Json } from "@configc/jq";
const { model, diagnostics } = compile("{}", { uri: "x.app.json" });
export const found: readonly Diagnostic[] = diagnostics;
export const picture: string = toSvg(graphOf(model));
export const outputs: readonly Json[] = evaluate(".", null);
// @ts-expect-error what isn't a text or bytes is refused
compile(1);
`,
  );
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    module: "NodeNext",
    target: "ES2022",
    lib: ["ES2023"],
    types: ["node"],
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: ["use.ts"] }),
  );
  node([join(root, "node_modules/typescript/bin/tsc"), "-p", folder]);
}
