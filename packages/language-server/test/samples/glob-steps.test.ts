import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { filesOf } from "../../src/samples/glob.ts";

function folderWith(names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "configc-glob-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), "{}");
  }
  return folder;
}

const names = ["a.json", "ab.json", "b-1.json", "[z-a].json", "x/a.json", "x/y/é😀.json", "aXbXc.json"];

test.each<[string, readonly string[]]>([
  ["*.json", ["[z-a].json", "a.json", "aXbXc.json", "ab.json", "b-1.json"]],
  ["a*", ["a.json", "aXbXc.json", "ab.json"]],
  ["?.json", ["a.json"]],
  ["a?.json", ["ab.json"]],
  ["*X*X*.json", ["aXbXc.json"]],
  ["*b*.json", ["aXbXc.json", "ab.json", "b-1.json"]],
  ["[a-b][!a-z]1.json", ["b-1.json"]],
  ["[^b]*.json", ["[z-a].json", "a.json", "aXbXc.json", "ab.json"]],
  ["[z-a].json", ["[z-a].json"]],
  ["**/*😀.json", ["x/y/é😀.json"]],
  ["**/**/a.*", ["a.json", "x/a.json"]],
  ["*a*a*a*.json", []],
])("%s names %j", (pattern, found) => {
  const folder = folderWith(names);
  expect(filesOf(folder, pattern)).toEqual(found.map((name) => join(folder, name)));
});

test("no pattern takes more steps than it has characters times the name", () => {
  const folder = folderWith([`${"a".repeat(200)}.json`]);
  const start = performance.now();
  expect(filesOf(folder, `${"*a".repeat(30)}*b`)).toEqual([]);
  expect(performance.now() - start).toBeLessThan(1_000);
});

test("folders of folders are looked through once, however often it is asked for", () => {
  const folder = folderWith(["a/b/c/d/e/f.json", "a/b/x.json"]);
  const start = performance.now();
  expect(filesOf(folder, `${"**/".repeat(40)}*.json`)).toHaveLength(2);
  expect(performance.now() - start).toBeLessThan(1_000);
});
