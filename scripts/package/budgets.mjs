// What weighs how much, against the budgets of the design.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { kilobytes, root } from "./run.mjs";

const RUNTIME = 150_000;
/** More than the design's 150 kB, since the rules about meaning came: docs/open-questions.md, Q13. */
const BROWSER = 660_000;

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
    ["@configc/runtime, minified, without dependencies", outputFiles[0].contents.length, RUNTIME],
    ["@configc/compiler for browsers, minified and gzipped", browser, BROWSER],
  ];
  const lines = weighed.map(([what, bytes, limit]) => {
    const over = bytes > limit ? `, ${bytes - limit} bytes over budget` : "";
    return `${what}: ${kilobytes(bytes)} of ${kilobytes(limit)}${over}`;
  });
  if (weighed.some(([, bytes, limit]) => bytes > limit)) throw new Error(lines.join("; "));
  return lines;
}
