import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configc, folderWith, templatePath } from "./support/cli.ts";

/** From twenty files on, `check` takes several threads: what it says and keeps is the same as with one. */
const template = readFileSync(templatePath("outbound"), "utf8");
const COUNT = 40;
const config = (index: number) =>
  template.replaceAll("acme", `acme${index}`).replace('"name":', index % 3 === 0 ? '"nme":' : '"name":');
const files = Object.fromEntries(
  Array.from({ length: COUNT }, (_, index) => [
    `app-${String(index).padStart(3, "0")}.app.json`,
    config(index),
  ]),
);
// Samples that can't be used, of two of the files, the later one first by name.
const cwd = folderWith({ ...files, "app-036.samples/a.json": "{", "app-038.samples/b.json": "[" });

function check(name: string, ...args: string[]) {
  const env = { CONFIGC_CACHE_DIR: join(cwd, name) };
  return configc(["check", ...args], { cwd, env });
}

const one = check("one", "--jobs", "1");

test("some files have findings, and some samples are told of", () => {
  expect(one.status).toBe(1);
  expect(one.stdout).toContain("app-036.app.json");
  expect(one.stderr).toMatch(/a\.json.*b\.json/s);
});

describe("three threads", () => {
  const three = check("three", "--jobs", "3");

  test("say the same in the same order", () => expect(three).toEqual(one));

  test("keep the same findings", () => {
    const kept = (name: string) => {
      const [file] = readdirSync(join(cwd, name));
      return readFileSync(join(cwd, name, file!), "utf8")
        .split("\n")
        .slice(1)
        .sort();
    };
    expect(kept("three").length).toBeGreaterThanOrEqual(COUNT - 2);
    expect(kept("three")).toEqual(kept("one"));
    expect(check("three", "--jobs", "3")).toEqual(one);
  });
});

test.each(["0", "-1", "x", "1000"])("--jobs %s is refused", (jobs) => {
  const { status, stderr } = check("refused", `--jobs=${jobs}`);
  expect(status).toBe(2);
  expect(stderr).toContain(`--jobs is a number from 1 to 999, not “${jobs}”.`);
});
