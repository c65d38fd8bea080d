import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { ensureBuilt } from "../../packages/cli/test/build.ts";

/** The GitHub action's script on sample repositories, as a runner would start it. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const script = join(root, "ci-templates/github.mjs");
const configc = `${process.execPath} ${join(root, "packages/cli/bin/configc.js")}`;
const published = readFileSync(join(root, "packages/cli/templates/inbound-webhook.app.json"), "utf8");
const other = readFileSync(join(root, "packages/cli/templates/outbound.app.json"), "utf8");
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const tests = {
  config: "shop.app.json",
  cases: [
    {
      name: "a submission",
      run: "workflows.acme-import-submissions.data_pipeline.source",
      input: { answers: [{ question_id: "email", text: "ada@example.com" }] },
      expect: { email: "ada@example.com" },
    },
  ],
};

function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "configc-action-test-")));
  folders.push(folder);
  return folder;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** A sample repository: two configs and a test, published as `v1`. */
function repository(): string {
  const folder = temporary();
  write(folder, {
    "configs/shop.app.json": published,
    "configs/shop.apptest.json": JSON.stringify(tests),
    "configs/other.app.json": other,
  });
  git(folder, "init", "--quiet", "--initial-branch", "main");
  git(folder, "add", ".");
  git(folder, "commit", "--quiet", "-m", "publish");
  git(folder, "tag", "v1");
  return folder;
}

function action(cwd: string, settings: Readonly<Record<string, string>> = {}) {
  ensureBuilt();
  const out = temporary();
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
    cwd,
    encoding: "utf8",
    env: {
      ...process.env,
      CONFIGC_COMMAND: configc,
      CONFIGC_PUBLISHED: "v1",
      CONFIGC_SARIF: join(out, "findings.sarif"),
      GITHUB_OUTPUT: join(out, "output"),
      GITHUB_STEP_SUMMARY: join(out, "summary.md"),
      ...settings,
    },
  });
  const read = (name: string) => (existsSync(join(out, name)) ? readFileSync(join(out, name), "utf8") : "");
  const sarif = read("findings.sarif");
  const run = sarif === "" ? undefined : JSON.parse(sarif).runs[0];
  return { status, stdout, stderr, output: read("output"), summary: read("summary.md"), run };
}

test("a change that breaks nothing passes, and says what was done", () => {
  const cwd = repository();
  write(cwd, { "configs/shop.app.json": published.replace('"label": "Form"', '"label": "The form"') });
  const { status, stdout, summary, output, run } = action(cwd);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  expect(summary).toContain("| ✅ | check | nothing to report |");
  expect(summary).toContain("| ✅ | test | 1 of 1 passed |");
  expect(summary).toContain("| ✅ | breaking configs/shop.app.json | nothing to report |");
  expect(summary).not.toContain("other.app.json");
  expect(output).toMatch(/^sarif=.*findings\.sarif\n$/);
  expect(run.results).toEqual([]);
});

test("mistakes, failing tests and breaking changes are annotated where they are, and stand in one SARIF run", () => {
  const cwd = repository();
  const changed = published
    .replace('"scope": "workflow",\n      "create"', '"scope": "connection",\n      "create"')
    .replace("question_id, value: .text", "question_id, value: .txt");
  write(cwd, {
    "configs/shop.app.json": changed,
    "configs/other.app.json": other.replace('"!http"', '"!htp"'),
  });
  const { status, stdout, summary, run } = action(cwd);
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^::error file=configs\/other\.app\.json,line=\d+,.*title=command\/unknown-command::/m,
  );
  expect(stdout).toMatch(/^::error file=configs\/shop\.apptest\.json,title=test%3A a submission::/m);
  expect(stdout).toMatch(/^::error file=configs\/shop\.app\.json,line=22,.*title=breaking\/intake-scope::/m);
  expect(summary).toContain("| ❌ | check |");
  expect(summary).toContain("| ❌ | test | 0 of 1 passed |");
  expect(summary).toMatch(/\| ❌ \| breaking configs\/shop\.app\.json \| 1 errors/);
  const ids = run.results.map(({ ruleId }: { ruleId: string }) => ruleId);
  expect(ids).toContain("command/unknown-command");
  expect(ids).toContain("breaking/intake-scope");
  for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
});

test("a config that was renamed is compared with its old path; one that is gone is an error; a new one breaks nothing", () => {
  const cwd = repository();
  renameSync(join(cwd, "configs/shop.app.json"), join(cwd, "configs/store.app.json"));
  rmSync(join(cwd, "configs/shop.apptest.json"));
  rmSync(join(cwd, "configs/other.app.json"));
  const text = published.replace('"name": "acme-import-submissions"', '"name": "acme-import"');
  write(cwd, { "configs/store.app.json": text, "configs/new.app.json": '{"$version": "2"}' });
  git(cwd, "add", "--all");
  const { status, stdout, summary } = action(cwd, { CONFIGC_RUN: "breaking" });
  expect(status).toBe(1);
  expect(stdout).toMatch(/file=configs\/store\.app\.json,.*title=breaking\/workflow-removed::/);
  expect(summary).toContain("| ❌ | breaking configs/other.app.json | removed |");
  expect(summary).not.toContain("new.app.json");
});

describe("what can't be done is said", () => {
  test("without a published ref, nothing is compared", () => {
    const { status, summary } = action(repository(), { CONFIGC_PUBLISHED: "" });
    expect(status).toBe(0);
    expect(summary).toContain("not compared: there is no published ref");
  });

  test("a checkout without history", () => {
    const clone = temporary();
    git(clone, "clone", "--quiet", "--depth", "1", "--no-tags", `file://${repository()}`, ".");
    const { status, stdout } = action(clone, { CONFIGC_RUN: "breaking" });
    expect(status).toBe(1);
    expect(stdout).toContain("::error::git knows no “v1”: give the checkout “fetch-depth: 0”");
  });

  test.each([
    [
      "an unknown verb",
      { CONFIGC_RUN: "chekc" },
      "There is nothing called chekc: run takes check, test, breaking.",
    ],
    [
      "configc isn't installed",
      { CONFIGC_COMMAND: "no-such-command" },
      "configc can't be started by “no-such-command”: add it to the development dependencies",
    ],
  ])("%s", (_, settings, message) => {
    const { status, stdout } = action(repository(), settings);
    expect(status).toBe(1);
    expect(stdout).toContain(`::error::${message}`);
  });
});

test("the action hands over each setting that the script reads, and declares each input that it uses", () => {
  const yaml = readFileSync(join(root, "action.yml"), "utf8");
  const used = readFileSync(script, "utf8").matchAll(/process\.env\.(CONFIGC_\w+)/g);
  for (const [, name] of used) expect(yaml).toMatch(new RegExp(`^ +${name}: \\$\\{\\{ inputs\\.`, "m"));
  const declared = [
    ...yaml.slice(yaml.indexOf("inputs:"), yaml.indexOf("outputs:")).matchAll(/^ {2}([\w-]+):$/gm),
  ].map(([, name]) => name);
  const named = new Set([...yaml.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name));
  expect([...named].sort()).toEqual(declared.sort());
  // An input inside of a script would be run by the shell.
  expect(yaml).not.toMatch(/run:.*\$\{\{/);
});

describe("the template for GitLab", () => {
  const yaml = readFileSync(join(root, "ci-templates/gitlab.yml"), "utf8");
  const block = /^ {4}- \|\n((?: {6}.*\n)+)/m.exec(yaml)?.[1]?.replaceAll(/^ {6}/gm, "") ?? "";

  function job(cwd: string) {
    ensureBuilt();
    const tools = temporary();
    // What npx would find in the project.
    writeFileSync(join(tools, "npx"), `#!/bin/sh\nshift\nexec ${configc} "$@"\n`, { mode: 0o755 });
    const env = {
      ...process.env,
      PATH: `${tools}:${process.env["PATH"]}`,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: git(cwd, "rev-parse", "v1"),
    };
    return spawnSync("bash", ["-e", "-c", block], { cwd, encoding: "utf8", env });
  }

  test("compares what changed, and fails where a customer is stranded", () => {
    const cwd = repository();
    write(cwd, { "configs/shop.app.json": published.replace('"label": "Form"', '"label": "The form"') });
    expect(job(cwd)).toMatchObject({ status: 0, stderr: "" });
    const renamed = published.replace('"name": "acme-import-submissions"', '"name": "acme-import"');
    write(cwd, { "configs/shop.app.json": renamed });
    expect(job(cwd).status).toBe(1);
    const [issue] = JSON.parse(
      readFileSync(join(cwd, "configc-breaking-configs-shop.app.json.json"), "utf8"),
    );
    expect(issue).toMatchObject({ check_name: "breaking/workflow-removed", severity: "major" });
  });
});
