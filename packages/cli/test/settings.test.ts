import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { validators } from "../scripts/compile-schemas.mjs";
import { parseSettings } from "../src/settings/validate.ts";
import { folderWith } from "./support/cli.ts";
import { clean, misspelled } from "./support/configs.ts";
import { configcHere } from "./support/in-process.ts";

const off = '{"rules": {"structure/unknown-member": "off"}}';

async function status(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  cwd = "",
): Promise<number | null> {
  return (await configcHere(["check", ...args], { cwd: join(folderWith(files), cwd) })).status;
}

describe("where settings come from", () => {
  test("the nearest file above each config", async () => {
    const files = {
      "configc.config.json": off,
      "sub/deep/a.app.json": misspelled,
      "other/configc.config.json": "{}",
      "other/b.app.json": misspelled,
    };
    expect(await status(files, ["sub"])).toBe(0);
    expect(await status(files, ["other"])).toBe(1);
    expect(await status(files, ["deep"], "sub")).toBe(0);
  });

  const files = { "a.app.json": misspelled, "configc.config.json": off, "ci/strict.json": "{}" };
  test.each([
    ["nothing", ["a.app.json"], 0],
    ["--no-config before the verb", ["--no-config", "a.app.json"], 1],
    ["--no-config at the end", ["a.app.json", "--no-config"], 1],
    ["--config for all", ["--config", "ci/strict.json", "a.app.json"], 1],
    ["--no-config beside --config", ["--no-config", "--config", "missing.json", "a.app.json"], 1],
    ["a level on the command line wins", ["--rule", "structure/unknown-member=error", "a.app.json"], 1],
  ])("%s", async (_, args, expected) => {
    expect(await status(files, args)).toBe(expected);
  });

  test("options may stand before the verb", async () => {
    const folder = folderWith(files);
    expect((await configcHere(["--no-config", "check", "a.app.json"], { cwd: folder })).status).toBe(1);
    expect((await configcHere(["--config", "ci/strict.json", "check"], { cwd: folder })).status).toBe(1);
  });
});

test("`files` and `exclude` decide what is found, but not what is named", async () => {
  const folder = folderWith({
    "configc.config.json": '{"files": ["apps/*.json"], "exclude": ["legacy", "apps/draft-*"]}',
    "apps/a.json": clean,
    "apps/draft-b.json": clean,
    "apps/deep/c.json": clean,
    "legacy/d.app.json": clean,
    "e.app.json": clean,
  });
  const paths = async (args: readonly string[]) =>
    (
      JSON.parse((await configcHere(["check", "--format", "json", ...args], { cwd: folder })).stdout) as {
        files: { path: string }[];
      }
    ).files.map(({ path }) => path);
  expect(await paths([])).toEqual(["apps/a.json"]);
  expect(await paths(["e.app.json", "legacy/d.app.json", "apps/draft-b.json"])).toEqual([
    "e.app.json",
    "legacy/d.app.json",
    "apps/draft-b.json",
  ]);
  expect(await paths(["--no-config"])).toEqual(["e.app.json", "legacy/d.app.json"]);
});

test.each([
  ["a folder, but for one in it", ["legacy/**", "!legacy/kept/**"], ["a.app.json", "legacy/kept/c.app.json"]],
  ["the same by the folders' names", ["legacy", "!kept"], ["a.app.json", "legacy/kept/c.app.json"]],
  ["the last one counts", ["!legacy", "legacy"], ["a.app.json"]],
  ["nothing to take back", ["!legacy"], ["a.app.json", "legacy/b.app.json", "legacy/kept/c.app.json"]],
])("`exclude` takes back what `!` stands before: %s", async (_, exclude, expected) => {
  const folder = folderWith({
    "configc.config.json": JSON.stringify({ exclude }),
    "a.app.json": clean,
    "legacy/b.app.json": clean,
    "legacy/kept/c.app.json": clean,
  });
  const { stdout } = await configcHere(["check", "--format", "json"], { cwd: folder });
  const { files } = JSON.parse(stdout) as { files: { path: string }[] };
  expect(files.map(({ path }) => path).sort()).toEqual(expected);
});

test.each([
  ["unknownMembers", '{"unknownMembers": "warning"}', misspelled, 0],
  ["rules", '{"rules": {"structure/unknown-member": "info"}}', misspelled, 0],
])("%s reaches the compiler", async (_, settings, text, expected) => {
  expect(await status({ "configc.config.json": settings, "a.app.json": text }, ["--max-warnings", "1"])).toBe(
    expected,
  );
});

describe("wrong settings", () => {
  test.each<[string, string, [number, number, string]]>([
    [
      "an unknown member",
      '{"ruls": {}}',
      [
        1,
        2,
        "/ruls: There is no setting “ruls”. Did you mean rules? Settings here are $schema, language, unknownMembers, files, exclude, rules, dialect, resources, origins or samples.",
      ],
    ],
    [
      "a value that isn't accepted",
      '{\n  "language": "cor"\n}',
      [2, 3, '/language: This must be "extended" or "core", not "cor". Did you mean core?'],
    ],
    ["a wrong type", '{"files": "*.json"}', [1, 2, '/files: This must be an array, not "*.json".']],
    ["a wrong item", '{"files": [1]}', [1, 12, "/files/0: This must be a string, not 1."]],
    [
      "a level",
      '{"rules": {"structure/unknown-member": "warn"}}',
      [
        1,
        12,
        '/rules/structure~1unknown-member: This must be "error", "warning", "info", "hint" or "off", not "warn".',
      ],
    ],
    [
      "a rule",
      '{"rules": {"structure/unknown-membr": "off"}}',
      [
        1,
        12,
        "/rules/structure~1unknown-membr: There is no rule “structure/unknown-membr”. Did you mean structure/unknown-member? “configc rules” lists them.",
      ],
    ],
    [
      "a missing member",
      '{"resources": {"add": {"Lead": {"fields": [{"id": "a"}]}}}}',
      [1, 44, "/resources/add/Lead/fields/0: “title” is missing here."],
    ],
    [
      "an address that is no origin",
      '{"origins": ["https://a.example/path"]}',
      [
        1,
        14,
        '/origins/0: "https://a.example/path" can\'t stand here. It is an origin, such as `https://uploads.example.com`.',
      ],
    ],
    ["an array", "[]", [1, 1, "This must be an object, not []."]],
    ["no JSON", '{\n "files": [\n}', [2, 11, "This isn't JSON: unclosed bracket."]],
    ["an empty file", "", [1, 1, "This isn't JSON: empty document."]],
    [
      "a name that objects have of themselves",
      '{"rules": {"constructor": "off"}}',
      [1, 12, "/rules/constructor: There is no rule “constructor”. “configc rules” lists them."],
    ],
  ])("%s", (_, text, [line, column, message]) => {
    expect(parseSettings(text).mistakes).toEqual([{ line, column, message }]);
  });

  test("are wrong usage: all are listed, nothing is checked", async () => {
    const folder = folderWith({
      "configc.config.json": '{\n  "language": 1,\n  "x": 2\n}',
      "a.app.json": misspelled,
    });
    const { status, stdout, stderr } = await configcHere(["check"], { cwd: folder });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("configc.config.json:2:3: /language: This must be");
    expect(stderr).toContain("configc.config.json:3:3: /x: There is no setting “x”.");
  });
});

test.each(validators())("the compiled validator is that of the schema: $path", ({ path, text }) => {
  expect(readFileSync(path, "utf8")).toBe(text);
});
