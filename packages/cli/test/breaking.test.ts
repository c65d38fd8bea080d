import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatNames } from "../src/formats/names.ts";
import { configc, folderWith, templatePath } from "./support/cli.ts";

const published = readFileSync(templatePath("inbound-webhook"), "utf8");
const changed = published
  .replace('"scope": "workflow",\n      "create"', '"scope": "connection",\n      "create"')
  .replace(
    '"label": "Form",\n              "type": "dropdown"',
    '"label": "Form",\n              "type": "text"',
  );

function git(cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
  const { status, stderr } = spawnSync("git", [...identity, ...args], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** A repository whose tag `v1` has the published version, and whose working copy has the changed one. */
function repository(): string {
  const folder = folderWith({ "configs/shop.app.json": published });
  git(folder, "init", "--quiet", "--initial-branch", "main");
  git(folder, "add", ".");
  git(folder, "commit", "--quiet", "-m", "publish");
  git(folder, "tag", "v1");
  writeFileSync(join(folder, "configs/shop.app.json"), changed);
  return folder;
}

describe("D40: breaking", () => {
  test("a file against a file: what happens, to whom, and what to do", () => {
    const cwd = folderWith({ "old.app.json": published, "new.app.json": changed });
    const { status, stdout, stderr } = configc(["breaking", "new.app.json", "--against", "old.app.json"], {
      cwd,
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toContain("error: The scope of `submission.created` changed from `workflow`");
    expect(stdout).toContain("new.app.json:22:16");
    expect(stdout).toContain("help: Keep the scope");
    expect(stdout).toContain("configc explain breaking/intake-scope");
    expect(stdout).toMatch(/✗ 1 error, 1 info in 1 of 1 file/);
  });

  test("nothing breaks between equal versions", () => {
    const cwd = folderWith({ "old.app.json": published, "new.app.json": published });
    const { status, stdout } = configc(["breaking", "new.app.json", "--against", "old.app.json"], { cwd });
    expect(status).toBe(0);
    expect(stdout).toContain("Nothing to report");
  });

  test("samples tell what the published version kept", () => {
    const polling = readFileSync(templatePath("inbound-polling"), "utf8");
    const keeping = (since: string, kept: string) => {
      const config = JSON.parse(polling) as { data_intake: { [name: string]: unknown }[] };
      const [intake] = config.data_intake;
      intake!["initial_setup"] = { "!jq": `{polling_state: {since: ${since}}}` };
      const program = `{results: .items, iterate: false, polling_state: {since: ${kept}}}`;
      intake!["request"] = {
        "!pipe": [
          { "!http": { path: "/customers", params: { since: "${polling_state.since}" } } },
          { "!jq": program },
        ],
      };
      return JSON.stringify(config);
    };
    const cwd = folderWith({
      "old.app.json": keeping('""', ".last"),
      "new.app.json": keeping("0", "now"),
      "sample.json": JSON.stringify({
        request: { path: "/customers" },
        response: { body: { items: [], last: "2024-01-01" } },
      }),
    });
    const compared = () => configc(["breaking", "new.app.json", "--against", "old.app.json"], { cwd });
    expect(compared()).toMatchObject({ status: 0 });
    writeFileSync(join(cwd, "configc.config.json"), '{"samples": ["sample.json"]}');
    const { status, stdout } = compared();
    expect({ status, stdout }).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("breaking/state-type") as string,
    });
  });

  test.each(formatNames)("the format %s", async (format) => {
    const cwd = folderWith({ "old.app.json": published, "new.app.json": changed });
    const { stdout } = configc(
      ["breaking", "new.app.json", "--against", "old.app.json", "--format", format],
      {
        cwd,
      },
    );
    expect(stdout).toContain("breaking/intake-scope");
    if (format === "sarif") {
      const [run] = JSON.parse(stdout).runs;
      expect(run.tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual([
        "breaking/field-input",
        "breaking/intake-scope",
      ]);
      expect(run.tool.driver.rules[1].properties.tags).toEqual(["breaking", "registrations", "state"]);
    }
    if (format === "json") {
      const [file] = JSON.parse(stdout).files;
      expect(file.diagnostics[0]).toMatchObject({
        rule: "breaking/intake-scope",
        concerns: ["registrations", "state"],
        pointer: "/data_intake/0/scope",
      });
    }
  });

  test("by concern, by level, and silenced in the document", () => {
    const silenced = changed.replace(
      '"scope": "connection",',
      '"_comment": "configc-ignore breaking/intake-scope: nobody uses it yet", "scope": "connection",',
    );
    const cwd = folderWith({ "old.app.json": published, "new.app.json": changed, "ok.app.json": silenced });
    const rulesOf = (...args: string[]) =>
      JSON.parse(
        configc(["breaking", ...args, "--against", "old.app.json", "--format", "json"], { cwd }).stdout,
      ).files[0].diagnostics.map(
        ({ rule, severity }: { rule: string; severity: string }) => `${rule} ${severity}`,
      );
    expect(rulesOf("new.app.json", "--concern", "setups")).toEqual(["breaking/field-input info"]);
    expect(rulesOf("new.app.json", "--rule", "breaking/intake-scope=off")).toEqual([
      "breaking/field-input info",
    ]);
    expect(rulesOf("ok.app.json")).toEqual(["breaking/field-input info"]);
    // `check` doesn't know what the comparison finds, so it doesn't call the suppression unused.
    expect(configc(["check", "ok.app.json"], { cwd }).stdout).not.toContain("suppression/");
  });
});

describe("the published version from git", () => {
  test.each([
    ["from the repository's root", "git:v1:configs/shop.app.json"],
    ["from the current folder", "git:v1:./shop.app.json"],
    ["the file's own path", "git:v1"],
  ])("%s", (_, against) => {
    const cwd = join(repository(), "configs");
    const { status, stdout, stderr } = configc(["breaking", "shop.app.json", "--against", against], { cwd });
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toContain("breaking/intake-scope");
  });

  test.each([
    ["an unknown ref", "git:v2:configs/shop.app.json", "git knows no “v2”. “git branch --all”"],
    [
      "a path that isn't there",
      "git:v1:shop.app.json",
      "there is no shop.app.json in v1. A config that isn't published breaks nothing",
    ],
    ["an option instead of a ref", "git:--output=x:a", "--against is a file, git:REF:PATH"],
    ["no ref", "git:", "--against is a file, git:REF:PATH"],
    ["a folder", "git:v1:configs", "configs is a folder in v1: name the config in it."],
    ["no file", "nowhere.app.json", "nowhere.app.json: there is no such file or folder."],
  ])("%s: what is wrong, and what to do", (_, against, message) => {
    const { status, stdout, stderr } = configc(["breaking", "configs/shop.app.json", "--against", against], {
      cwd: repository(),
    });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  test.each(["git:v1:configs/shop.app.json", "git:v1"])("%s from outside of the repository", (against) => {
    const file = join(repository(), "configs/shop.app.json");
    const { status, stdout, stderr } = configc(["breaking", file, "--against", against], {
      cwd: folderWith(),
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toContain("breaking/intake-scope");
  });

  test("a new version that isn't there is told of before the published one", () => {
    const { status, stderr } = configc(["breaking", "no.app.json", "--against", "git:v9"], {
      cwd: repository(),
    });
    expect(status).toBe(2);
    expect(stderr).toContain("no.app.json: there is no such file or folder.");
  });

  test("a clone without history is told so", () => {
    const origin = repository();
    const clone = folderWith();
    git(clone, "clone", "--quiet", "--depth", "1", "--branch", "main", "--no-tags", `file://${origin}`, ".");
    const { stderr } = configc(["breaking", "configs/shop.app.json", "--against", "git:v1"], { cwd: clone });
    expect(stderr).toContain(
      "cloned without its history: fetch it, in GitHub's checkout by “fetch-depth: 0”",
    );
  });

  test("outside of a repository, and where git is missing", () => {
    const cwd = folderWith({ "shop.app.json": published });
    const run = (env: NodeJS.ProcessEnv) =>
      configc(["breaking", "shop.app.json", "--against", "git:v1"], { cwd, env }).stderr;
    expect(run({ GIT_CEILING_DIRECTORIES: cwd })).toContain("this folder is in no git repository");
    expect(run({ PATH: cwd })).toContain("git isn't installed here");
  });
});

describe("versions that can't be compared", () => {
  test("a published one with mistakes in its JSON: wrong usage", () => {
    const cwd = folderWith({ "old.app.json": `${published}]`, "new.app.json": published });
    const { status, stderr } = configc(["breaking", "new.app.json", "--against", "old.app.json"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("old.app.json can't be compared with: it has 1 mistake in its JSON");
  });

  test("a new one with mistakes in its JSON: these are the findings, nothing counts as removed", () => {
    const cwd = folderWith({ "old.app.json": published, "new.app.json": published.slice(0, 900) });
    const args = ["breaking", "new.app.json", "--against", "old.app.json", "--format", "compact"];
    const { status, stdout, stderr } = configc(args, { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain("syntax/");
    expect(stdout).not.toContain("breaking/");
    expect(stderr).toContain("isn't compared");
  });

  test("without --against", () => {
    const { status, stderr } = configc(["breaking", templatePath("outbound")]);
    expect(status).toBe(2);
    expect(stderr).toContain("breaking needs --against OLD");
    expect(stderr).toContain("configc breaking --help");
  });
});

test("a config that was moved is found by its old path", () => {
  const cwd = repository();
  mkdirSync(join(cwd, "apps"));
  renameSync(join(cwd, "configs/shop.app.json"), join(cwd, "apps/shop.app.json"));
  const { status } = configc(
    ["breaking", "apps/shop.app.json", "--against", "git:v1:configs/shop.app.json"],
    { cwd },
  );
  expect(status).toBe(1);
});
