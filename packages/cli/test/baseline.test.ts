import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configc, folderWith } from "./support/cli.ts";
import { clean, misspelled, twiceMisspelled, withSecret } from "./support/configs.ts";

const baseline = ["--baseline", "known.json"];

function recorded(files: Readonly<Record<string, string>>): string {
  const folder = folderWith(files);
  const { status, stderr } = configc(["check", ...baseline, "--update-baseline"], { cwd: folder });
  expect(status).toBe(0);
  expect(stderr).toContain("recorded in known.json");
  return folder;
}

test("known findings are left out and counted", () => {
  const folder = recorded({ "a.app.json": misspelled, "b.app.json": withSecret });
  const { status, stdout } = configc(["check", ...baseline, "--max-warnings", "0"], { cwd: folder });
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: "✓ Nothing to report in 2 files · 2 known from the baseline\n",
  });
});

test("a finding stays known when lines and other workflows change around it", () => {
  const folder = recorded({ "a.app.json": misspelled });
  const moved = JSON.parse(misspelled) as { workflows: unknown[] };
  moved.workflows.unshift({ ...(moved.workflows[0] as object), name: "acme-another" });
  (moved.workflows[0] as { setup: object }).setup = (JSON.parse(clean) as { workflows: { setup: object }[] })
    .workflows[0]!.setup;
  writeFileSync(join(folder, "a.app.json"), JSON.stringify(moved, null, 4));
  expect(configc(["check", ...baseline], { cwd: folder }).status).toBe(0);
});

test("a new finding is reported, and only that", () => {
  const folder = recorded({ "a.app.json": misspelled });
  writeFileSync(join(folder, "a.app.json"), twiceMisspelled);
  const { status, stdout } = configc(["check", ...baseline, "--format", "compact"], { cwd: folder });
  expect(status).toBe(1);
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
});

test("one more of the same is new: findings are counted", () => {
  const once = clean.replace('"scopes"', '"scops": 1, "scopes"');
  const folder = recorded({ "a.app.json": once });
  writeFileSync(join(folder, "a.app.json"), once.replace('"scops": 1', '"scops": 1, "scops": 2'));
  expect(configc(["check", ...baseline], { cwd: folder }).status).toBe(1);
});

test("repaired findings are named, and an update takes them out", () => {
  const folder = recorded({ "a.app.json": misspelled });
  writeFileSync(join(folder, "a.app.json"), clean);
  expect(configc(["check", ...baseline], { cwd: folder }).stderr).toContain(
    "1 finding in the baseline no longer exists",
  );
  configc(["check", ...baseline, "--update-baseline"], { cwd: folder });
  expect(JSON.parse(readFileSync(join(folder, "known.json"), "utf8"))).toEqual({ version: 1, files: {} });
});

test("an update keeps what it knows of files that weren't checked, unless they are gone", () => {
  const folder = recorded({ "a.app.json": misspelled, "b.app.json": misspelled, "c.app.json": misspelled });
  rmSync(join(folder, "c.app.json"));
  configc(["check", "a.app.json", ...baseline, "--update-baseline"], { cwd: folder });
  expect(Object.keys(JSON.parse(readFileSync(join(folder, "known.json"), "utf8")).files)).toEqual([
    "a.app.json",
    "b.app.json",
  ]);
});

test("a file that is renamed or moved keeps what is recorded of it", () => {
  const folder = recorded({ "a.app.json": misspelled, "b.app.json": withSecret });
  mkdirSync(join(folder, "apps"));
  renameSync(join(folder, "b.app.json"), join(folder, "apps", "c.app.json"));
  writeFileSync(join(folder, "new.app.json"), misspelled);
  const { status, stdout } = configc(["check", ...baseline, "--format", "compact"], { cwd: folder });
  expect(status).toBe(1);
  // What another file has in common with one that is still there is new.
  expect(stdout.trimEnd().split("\n")).toEqual([expect.stringMatching(/^new[.]app[.]json:/)]);
});

test("holds from whatever folder the command runs in", () => {
  const folder = recorded({ "sub/a.app.json": misspelled });
  expect(configc(["check", "--baseline", "../known.json"], { cwd: join(folder, "sub") }).status).toBe(0);
});

test.each([
  [
    "isn't there",
    undefined,
    "The baseline known.json can't be opened: there is no such file or folder. --update-baseline writes it.",
  ],
  ["isn't JSON", "{", "known.json isn't a baseline"],
  ["is something else", '{"version": 1, "files": {"a": 1}}', "known.json isn't a baseline"],
])("a baseline that %s is wrong usage", (_, content, message) => {
  const folder = folderWith({
    "a.app.json": misspelled,
    ...(content === undefined ? {} : { "known.json": content }),
  });
  const { status, stderr } = configc(["check", ...baseline, "--fix"], { cwd: folder });
  expect(status).toBe(2);
  expect(stderr).toContain(message);
  // Found out before anything is changed.
  expect(readFileSync(join(folder, "a.app.json"), "utf8")).toBe(misspelled);
});
