// What weighs how much, against the budgets of the design.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { kilobytes, root } from "./run.mjs";

const LIMIT = 150_000;

/** @returns {Promise<string[]>} a line each @throws Error if something weighs more than it may today */
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
  const lines = weighed.map(([what, bytes]) => {
    const over = bytes > LIMIT ? `, ${bytes - LIMIT} bytes over budget` : "";
    return `${what}: ${kilobytes(bytes)} of ${kilobytes(LIMIT)}${over}`;
  });
  if (weighed.some(([, bytes]) => bytes > LIMIT)) throw new Error(lines.join("; "));
  return lines;
}
