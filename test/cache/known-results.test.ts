import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ensureBuilt } from "../../packages/cli/test/build.ts";
import { folderWith } from "../../packages/cli/test/support/cli.ts";
import { type Main, type Outcome, runIn } from "../../packages/cli/test/support/in-process.ts";

/**
 * What `check` keeps between runs: reports are the same with and without it, and whatever a finding may rest on makes a file be checked anew.
 *
 * To see what isn't checked anew, a copy of the command has a compiler that can't be loaded.
 */

const root = fileURLToPath(new URL("../..", import.meta.url));
const formats = ["pretty", "compact", "json", "sarif", "github", "gitlab", "junit"];
/** When the files of the copies were written: a file of the command with another time is another build. */
const BUILT = new Date(2030, 0, 1);

let builds: string;
let folder: string;
beforeAll(() => {
  ensureBuilt();
  builds = folderWith();
  copyOfCommand("whole");
  copyOfCommand("broken");
  spoil("broken");
});
afterAll(() => rmSync(builds, { recursive: true }));
beforeEach(() => {
  folder = folderWith();
  process.env["CONFIGC_CACHE_DIR"] = join(folder, "cache");
  return () => rmSync(folder, { recursive: true });
});

function copyOfCommand(name: string): void {
  const from = join(root, "packages/cli");
  for (const part of [
    "package.json",
    "bin",
    "dist/build-id",
    "dist/main.cjs",
    "dist/modules.cjs",
    "dist/openapi.cjs",
    "dist/rule-pages.json",
  ])
    cpSync(join(from, part), join(builds, name, part), { recursive: true });
  for (const part of ["build-id", "main.cjs", "modules.cjs"])
    utimesSync(join(builds, name, "dist", part), BUILT, BUILT);
}

/** Makes the compiler fail, in a file of the same size and time. */
function spoil(name: string): void {
  const path = join(builds, name, "dist/modules.cjs");
  const { length } = readFileSync(path);
  writeFileSync(path, 'throw new Error("it is checked anew");'.padEnd(length));
  utimesSync(path, BUILT, BUILT);
}

async function configc(args: readonly string[], build = "whole"): Promise<Outcome> {
  const loader = join(builds, build, "bin/load.js");
  const { load } = (await import(loader)) as { readonly load: () => { readonly main: Main } };
  return await runIn(load().main, args, { cwd: folder, env: { NO_COLOR: "1" } });
}

const check = (...args: string[]): Promise<Outcome> => configc(["check", ...args]);

/** Whether a check needs nothing but what is kept. */
async function isKnown(...args: string[]): Promise<boolean> {
  const { status, all } = await configc(["check", ...args], "broken");
  if (status !== 70) return true;
  expect(all).toContain("it is checked anew");
  return false;
}

function write(path: string, content: unknown): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

const template = readFileSync(join(root, "packages/cli/templates/inbound-webhook.app.json"), "utf8");
/** One finding that a sample gives, one that has a safe fix, one with a related place. */
const config = template
  .replace("display: .title", "display: .titel")
  .replace('"method": "GET", "path": "/me"', '"methd": "GET", "path": "/me"');

describe("reports are the same, byte by byte", () => {
  /** Every document of the examples, templates and fixtures, in a folder of its own beside what belongs to it. */
  function copyDocuments(): void {
    for (const from of ["examples", "test/fixtures", "packages/cli/templates", "packages/cli/test/fixtures"])
      cpSync(join(root, from), join(folder, "project", from), {
        recursive: true,
        filter: (path) => !path.endsWith(".ts"),
      });
    for (const path of readdirSync(join(folder, "project"), { recursive: true, encoding: "utf8" }))
      if (path.endsWith("settings.json"))
        renameSync(
          join(folder, "project", path),
          join(folder, "project", dirname(path), "configc.config.json"),
        );
  }

  async function reports(...args: string[]): Promise<Readonly<Record<string, unknown>>> {
    const outputs = formats.flatMap((format) => ["--format", format, "--output", `${format}.out`]);
    const { status, all } = await check(...outputs, ...args, "project");
    const texts = formats.map((format) => [format, readFileSync(join(folder, `${format}.out`), "utf8")]);
    return { status, all, ...Object.fromEntries(texts) };
  }

  test("of all examples and fixtures, in all formats", async () => {
    copyDocuments();
    const anew = await reports("--no-cache");
    expect(anew["json"]).toMatch(/"fixes": [\s\S]*"related": /);
    expect(readdirSync(folder)).not.toContain("cache");
    expect(await reports()).toEqual(anew);
    expect(await reports()).toEqual(anew);
  });

  test("of one format after the other, though some need more than others", async () => {
    write("a.app.json", config);
    const anew = new Map<string, Outcome>();
    for (const format of formats) anew.set(format, await check("--no-cache", "--format", format));
    for (const format of ["compact", "json", "pretty", ...formats])
      expect([format, await check("--format", format)]).toEqual([format, anew.get(format)]);
    for (const format of formats)
      if (format !== "sarif") expect([format, await isKnown("--format", format)]).toEqual([format, true]);
  });
});

describe("is known again", () => {
  beforeEach(async () => {
    write("configc.config.json", { rules: { "structure/unknown-member": "warning" }, samples: ["api.json"] });
    write("api.json", {
      openapi: "3.0.0",
      info: { title: "x", version: "1" },
      paths: { "/me": { $ref: "part.json" } },
    });
    write("part.json", { get: { responses: {} } });
    write("a.app.json", config);
    write("b/b.app.json", template);
    await check();
  });

  test.each<[string, readonly string[]]>([
    ["all of it", []],
    ["one file", ["a.app.json"]],
    ["a file by another name of its path", ["./b/../a.app.json"]],
    ["what is needed for a format that shows less", ["--format", "github"]],
    ["whatever counts as a failure", ["--max-warnings", "0"]],
  ])("%s", async (_, args) => {
    expect(await isKnown(...args)).toBe(true);
  });

  test("what has the same bytes, whenever it was written", async () => {
    for (const name of ["configc.config.json", "api.json", "part.json", "a.app.json"])
      utimesSync(join(folder, name), 1, 1);
    expect(await isKnown()).toBe(true);
  });

  test("what had the same bytes before", async () => {
    write("a.app.json", template);
    await check();
    write("a.app.json", config);
    expect(await isKnown()).toBe(true);
  });

  test("a copy, wherever it lies", async () => {
    write("c/copy.app.json", template);
    expect(await isKnown("c")).toBe(true);
  });

  test("when findings are compared with a baseline", async () => {
    await check("--baseline", "known.json", "--update-baseline");
    expect((await check("--baseline", "known.json")).status).toBe(0);
    expect(await isKnown("--baseline", "known.json")).toBe(true);
    write("known.json", { version: 1, files: {} });
    expect(await check("--baseline", "known.json")).toEqual(
      await check("--baseline", "known.json", "--no-cache"),
    );
  });
});

describe("is checked anew", () => {
  beforeEach(async () => {
    write("configc.config.json", { samples: ["api.json", "more"] });
    write("api.json", {
      openapi: "3.0.0",
      info: { title: "x", version: "1" },
      paths: { "/me": { $ref: "part.json" } },
    });
    write("part.json", { $ref: "deep.json" });
    write("deep.json", { get: { responses: {} } });
    write("more/me.json", { request: { path: "/me" }, response: { body: { id: 1 } } });
    write("a.samples/forms.json", {
      request: { path: "/forms" },
      response: { body: { items: [{ titel: "" }] } },
    });
    write("a.app.json", config);
    await check();
    expect(await isKnown()).toBe(true);
  });

  test.each<[string, () => void, (readonly string[])?]>([
    ["another text", () => write("a.app.json", config.replace("titel", "title"))],
    ["a blank at the end", () => write("a.app.json", `${config} `)],
    ["another name", () => renameSync(join(folder, "a.app.json"), join(folder, "a.app.jsonc"))],
    [
      "other settings",
      () => write("configc.config.json", { samples: ["api.json", "more"], language: "core" }),
    ],
    ["other settings nearer to it", () => write("b/configc.config.json", {}), ["b"]],
    ["no settings file any more", () => rmSync(join(folder, "configc.config.json"))],
    ["no settings", () => {}, ["--no-config"]],
    ["settings from another file", () => write("other.json", { rules: {} }), ["--config", "other.json"]],
    ["another level of a rule", () => {}, ["--rule", "security/plain-secret=error"]],
    [
      "another sample",
      () => write("a.samples/forms.json", { request: { path: "/forms" }, response: { body: {} } }),
    ],
    [
      "one sample more",
      () => write("a.samples/g.json", { request: { path: "/me" }, response: { body: {} } }),
    ],
    ["no sample", () => rmSync(join(folder, "a.samples"), { recursive: true })],
    [
      "a sample that settings name",
      () => write("more/a.json", { request: { path: "/me" }, response: { body: {} } }),
    ],
    [
      "another API",
      () => write("api.json", { openapi: "3.1.0", info: { title: "x", version: "1" }, paths: {} }),
    ],
    ["another part of the API", () => write("part.json", { get: { responses: {} } })],
    ["another part of a part", () => write("deep.json", { post: { responses: {} } })],
    ["no part any more", () => rmSync(join(folder, "deep.json"))],
    ["a wrong settings file", () => write("configc.config.json", "{")],
    ["a rule that there isn't", () => {}, ["--rule", "no/such-rule=off"]],
    ["without what is kept", () => {}, ["--no-cache"]],
    ["to be repaired", () => {}, ["--fix-dry-run"]],
  ])("%s", async (_, change, args = []) => {
    write("b/a.app.json", template);
    await check("b");
    expect(await isKnown("b")).toBe(true);
    change();
    expect(await isKnown(...args)).toBe(false);
    expect(await check(...args)).toEqual(await check("--no-cache", ...args));
  });

  test("standard input, which isn't kept", async () => {
    const files = readdirSync(join(folder, "cache")).map((name) =>
      readFileSync(join(folder, "cache", name), "utf8"),
    );
    expect(files).toHaveLength(1);
    expect(await isKnown()).toBe(true);
  });

  test.each(["build-id", "main.cjs", "modules.cjs"])("by another build, whose %s differs", async (name) => {
    copyOfCommand("other");
    spoil("other");
    expect((await configc(["check"], "other")).status).not.toBe(70);
    if (name === "build-id") writeFileSync(join(builds, "other/dist", name), "another");
    else utimesSync(join(builds, "other/dist", name), BUILT, new Date(2030, 0, 2));
    // Each loader is a module of its own by its address.
    renameSync(join(builds, "other"), join(builds, `other-${name}`));
    expect((await configc(["check"], `other-${name}`)).status).toBe(70);
    rmSync(join(builds, `other-${name}`), { recursive: true });
  });
});

describe("isn't kept", () => {
  const kept = (): string =>
    readdirSync(join(folder, "cache"))
      .map((name) => readFileSync(join(folder, "cache", name), "utf8"))
      .join();

  test("what was found around a secret", async () => {
    write("a.app.json", template.replace("<CLIENT_SECRET>", "s3cr3t-value-of-someone"));
    write("b.app.json", config);
    const first = await check("--format", "json");
    expect(first.stdout).toContain("security/plain-secret");
    expect(kept()).not.toContain("s3cr3t");
    expect(await isKnown("a.app.json")).toBe(false);
    expect(await isKnown("--format", "json", "b.app.json")).toBe(true);
    expect(await check("--format", "json")).toEqual(first);
  });

  test("what has to be said of samples that can't be used, each time", async () => {
    write("a.app.json", template);
    write("a.samples/bad.json", "{");
    const first = await check();
    expect(first.all).toContain("bad.json: ");
    expect(await check()).toEqual(first);
  });

  test("the text of a config", async () => {
    write("a.app.json", config.replace("Acme - ", "Somebody - "));
    await check();
    expect(kept()).not.toContain("Somebody");
  });

  test("that a file can't be opened", async () => {
    mkdirSync(join(folder, "a.app.json"));
    expect((await check("a.app.json", "b.app.json")).status).toBe(2);
    expect((await check("a.app.json", "b.app.json")).status).toBe(2);
  });
});

test("what can't be kept or read is no failure", async () => {
  write("a.app.json", config);
  const expected = await check("--no-cache");
  write("cache", "no folder");
  expect(await check()).toEqual(expected);
  rmSync(join(folder, "cache"));
  expect(await check()).toEqual(expected);
  const [name = ""] = readdirSync(join(folder, "cache"));
  writeFileSync(join(folder, "cache", name), "nonsense");
  expect(await check()).toEqual(expected);
  expect(await isKnown()).toBe(true);
  expect(relative(folder, process.env["CONFIGC_CACHE_DIR"]!)).toBe("cache");
});
