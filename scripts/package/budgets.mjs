// What weighs how much, against the budgets of the design.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { kilobytes, root } from "./run.mjs";

const LIMIT = 150_000;

/** @returns {Promise<string[]>} a line each @throws Error if something weighs too much */
export async function budgets() {
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "./packages/runtime/dist/index.js"', resolveDir: root },
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    platform: "neutral",
    packages: "external",
  });
  const browser = gzipSync(readFileSync(`${root}packages/compiler/dist/browser.js`), { level: 9 }).length;
  const weighed = [
    ["@configc/runtime, minified, without dependencies", outputFiles[0].contents.length],
    ["@configc/compiler for browsers, minified and gzipped", browser],
  ];
  const tooMuch = weighed.filter(([, bytes]) => bytes > LIMIT);
  const lines = weighed.map(([what, bytes]) => `${what}: ${kilobytes(bytes)} of ${kilobytes(LIMIT)}`);
  if (tooMuch.length > 0) throw new Error(`over budget: ${lines.join("; ")}`);
  return lines;
}
