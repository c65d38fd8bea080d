import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rowIds } from "../../scripts/docs/coverage.ts";

/**
 * Each row of the specification's tables, and each decision, that an app acts by has a test at run time that names it. Rules with examples, which are
 * tests, guard the others: `docs/coverage.md`, which fails without one.
 */
const root = fileURLToPath(new URL("../../", import.meta.url));

/** Where what an app does is tried. */
const runTime = [
  "packages/runtime/test",
  "packages/host/test",
  "packages/cli/test",
  "packages/simulate/test",
  "test/flows",
  "test/crash",
];

/** Rows that say nothing of what an app does when it runs: they are checked, or for pages that aren't ours. */
const onlyChecked =
  /^(?:document\.\$version|workflow\.(?:description|resource_type|resource_labels)|resource_labels\..+|historical\.4|select\.description|defined_fields\.(?:label|placeholder|help_text)|option\.schemaId|object\..+|authentication\.4|events\.[39]|versioning\.[13]|D[2348]|D15|D39|D4[01])$/;

const texts = (folders: readonly string[]): string =>
  folders
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(?:ts|json)$/.test(entry.name))
        .map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`, "utf8")),
    )
    .join("\n");

function unnamed(ids: readonly string[], text: string): string[] {
  const words = new Set(text.match(/[\w$!.-]*\w/g));
  return ids.filter((id) => !words.has(id));
}

test("every row that an app acts by has a test at run time that names it", () => {
  const ids = rowIds().filter((id) => !onlyChecked.test(id));
  expect(ids.length).toBeGreaterThan(200);
  expect(unnamed(ids, texts(runTime))).toEqual([]);
});
