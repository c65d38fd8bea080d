import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { attacks, command, complaintsOf, type Entry, put, runChild } from "../harness/index.ts";
import { contents } from "./contents.ts";
import { app } from "./kinds.ts";

let project: string;
let caches: string;
let kept: string | undefined;
let rightOutput: string;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), "attack-cache-"));
  caches = mkdtempSync(join(tmpdir(), "attack-caches-"));
  // One finding, so that a cache that is believed would be seen.
  writeFileSync(join(project, "a.app.json"), app.replace('"auth":"a"', '"auth":"b"'));
  rightOutput = (await check()).stdout;
  [kept = "none"] = readdirSync(caches);
});

afterAll(() => {
  for (const folder of [project, caches]) rmSync(folder, { recursive: true, force: true });
});

const check = () =>
  runChild(command, ["check"], { directory: project, env: { CONFIGC_CACHE_DIR: caches, NO_COLOR: "1" } });

const cases = Object.entries(contents).map(([name, content]) => ({ name, content, ceiling: 700 }));

/** What `check` keeps may be overwritten by whoever reaches the folder: at worst it is worked out anew. */
attacks("the cache is", cases, async ({ content }: { readonly name: string; readonly content: Entry }) => {
  rmSync(join(caches, kept ?? ""), { recursive: true });
  put(join(caches, kept ?? ""), content);
  const ended = await check();
  expect(complaintsOf(ended)).toEqual([]);
  expect(ended.stdout).toBe(rightOutput);
  return ended;
});
