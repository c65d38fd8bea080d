import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Files that pages for contributors name in backticks (`shrink.ts`, `src/trace.ts`) exist: in the page's package, or in any for docs. */

const packages = readdirSync("packages");
const pages: readonly (readonly [page: string, folder: string])[] = [
  ["docs/architecture.md", "packages"],
  ...packages.map((name) => [`packages/${name}/README.md`, `packages/${name}`] as const),
];

test.each(pages)("%s names files that exist", (page, folder) => {
  const files = filesIn(folder).map((path) => `/${path}`);
  const named = readFileSync(page, "utf8").matchAll(/`([\w/.-]+\.ts)`/g);
  const missing = [...named].map(([, name]) => name!).filter((name) => !isAmong(files, name));
  expect(missing).toEqual([]);
});

test("a name that no file has is found, also where it ends like one", () => {
  const files = ["/packages/jq/src/trace.ts"];
  expect(
    ["trace.ts", "src/trace.ts", "race.ts", "source/trace.ts"].map((name) => isAmong(files, name)),
  ).toEqual([true, true, false, false]);
});

function isAmong(files: readonly string[], name: string): boolean {
  return files.some((path) => path.endsWith(`/${name}`)) || existsSync(name);
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules") && !path.includes("dist/"))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`);
}
