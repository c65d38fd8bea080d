import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../../src/", import.meta.url));

/** What a page loads that uses some names of an entry: minified and gzipped, in bytes, and the sources it is made of. */
async function weight(names: string, entry: string): Promise<{ bytes: number; sources: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export { ${names} } from "./${entry}.ts"`, resolveDir: source },
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
  });
  const { inputs } = Object.values(metafile.outputs)[0]!;
  const sources = Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [path.replace(/^.*?packages\/jq\/src\//, "")] : [],
  );
  return { bytes: gzipSync(outputFiles[0]!.contents, { level: 9 }).length, sources };
}

test.each([
  ["load", 40_000],
  ["load, outputs, jsonReader, filterStream, jsonWriter, JqError", 40_000],
  ["load, dates", 44_000],
  ["load, dates, regularExpressions", 65_000],
])("{%s} of /run", async (names, budget) => {
  const { bytes } = await weight(names, "run");
  expect(bytes).toBeLessThanOrEqual(budget);
});

test("/run has no parser, no types and no regular expressions that aren't asked for", async () => {
  const { sources } = await weight("load, jsonReader, filterStream, dates", "run");
  expect(sources).toContain("evaluate/code.ts");
  expect(sources.filter((path) => /^(syntax|types|resolve|regex|editor)\//.test(path))).toEqual([]);
});

test.each([
  ["infer, check, typeOfSchema", "types"],
  ["completionContext, signatureAt", "editor/index"],
])("{%s} runs nothing", async (names, entry) => {
  const { bytes, sources } = await weight(names, entry);
  expect(bytes).toBeLessThanOrEqual(56_000);
  expect(sources).not.toContain("evaluate/code.ts");
});
