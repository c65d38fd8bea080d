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
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { ensureBuilt } from "../../packages/cli/test/build.ts";

/** The GitHub action's script on sample repositories, as a runner would start it. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const script = join(root, "ci-templates/github.mjs");
/** As `npx configc` is found in a project: commands are words, and a path may have blanks. */
const configc = "env configc";
const searched = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
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
      PATH: searched,
      CONFIGC_COMMAND: configc,
      CONFIGC_PUBLISHED: "v1",
      CONFIGC_BASE: "",
      CONFIGC_WORKING_DIRECTORY: ".",
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
  expect(summary).toMatch(/\| ❌ \| breaking configs\/shop\.app\.json \| 1 error \|/);
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

/** What a runner has checked out: a branch that left `main`, where another workflow has been published since. */
function branched(): string {
  const cwd = repository();
  git(cwd, "checkout", "--quiet", "-b", "feature");
  write(cwd, { "configs/shop.app.json": published.replace('"label": "Form"', '"label": "The form"') });
  git(cwd, "commit", "--quiet", "--all", "-m", "a label");
  git(cwd, "checkout", "--quiet", "main");
  const { workflows } = JSON.parse(published) as { workflows: object[] };
  const second = { ...workflows[0], name: "acme-import-more", label: "Acme - Import more" };
  const more = { ...(JSON.parse(published) as object), workflows: [...workflows, second] };
  write(cwd, { "configs/shop.app.json": JSON.stringify(more, undefined, 2) });
  git(cwd, "commit", "--quiet", "--all", "-m", "another workflow");
  git(cwd, "checkout", "--quiet", "feature");
  return cwd;
}

test("a pull request is compared with what it branched from, a published ref with itself", () => {
  const cwd = branched();
  const base = {
    CONFIGC_RUN: "breaking",
    CONFIGC_PUBLISHED: "",
    CONFIGC_BASE: git(cwd, "rev-parse", "main"),
  };
  const request = action(cwd, base);
  expect(request.status).toBe(0);
  expect(request.summary).toContain("| ✅ | breaking configs/shop.app.json | nothing to report |");
  const release = action(cwd, { ...base, CONFIGC_PUBLISHED: "main" });
  expect(release.status).toBe(1);
  expect(release.stdout).toContain("title=breaking/workflow-removed");
});

test("a project in a folder of the repository: places are told from its root", () => {
  const outer = temporary();
  const name = "apps/my shop, 100%";
  write(outer, {
    [`${name}/configs/shop.app.json`]: published,
    [`${name}/configs/shop.apptest.json`]: JSON.stringify(tests),
    "other.app.json": "{}",
  });
  git(outer, "init", "--quiet", "--initial-branch", "main");
  git(outer, "add", ".");
  git(outer, "commit", "--quiet", "-m", "publish");
  git(outer, "tag", "v1");
  const changed = published
    .replace('"!http"', '"!htp"')
    .replace('"name": "acme-import-submissions"', '"name": "acme-import"');
  write(outer, { [`${name}/configs/shop.app.json`]: changed });
  const { status, stdout, summary, run } = action(outer, { CONFIGC_WORKING_DIRECTORY: name });
  expect(status).toBe(1);
  const file = "apps/my shop%2C 100%25/configs/shop.app.json";
  expect(stdout).toContain(`::error file=${file},line=`);
  expect(stdout).toContain("title=breaking/workflow-removed");
  expect(stdout.match(/^::\w+ file=[^,]*/gm)?.every((each) => each.includes("file=apps/my shop%2C"))).toBe(
    true,
  );
  expect(summary).toContain("| ❌ | breaking configs/shop.app.json |");
  const uris = run.results.map(
    (result: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
      result.locations[0]?.physicalLocation.artifactLocation.uri,
  );
  expect(new Set(uris)).toEqual(new Set(["apps/my%20shop%2C%20100%25/configs/shop.app.json"]));
});

test("paths say what is checked, tested and compared; one a line, they may have blanks", () => {
  const cwd = repository();
  write(cwd, {
    "configs/my shop.app.json": published,
    "configs/other.app.json": other.replace('"!http"', '"!htp"'),
    "configs/shop.app.json": published.replace('"name": "acme-import-submissions"', '"name": "acme-import"'),
  });
  const narrow = action(cwd, { CONFIGC_PATHS: "configs/my shop.app.json\n" });
  expect(narrow.summary).toContain("| ✅ | check | nothing to report |");
  expect(narrow.summary).toContain("| ✅ | test | there are no tests |");
  expect(narrow.summary).toContain("| ✅ | breaking | no published config changed |");
  expect(narrow.status).toBe(0);
  const named = action(cwd, { CONFIGC_PATHS: "configs/shop.app.json" });
  expect(named.summary).toContain("| ❌ | test | 0 of 1 passed |");
  expect(named.summary).not.toContain("other.app.json");
  const all = action(cwd, { CONFIGC_PATHS: "configs", CONFIGC_RUN: "breaking" });
  expect(all.summary).toContain("| ✅ | breaking configs/other.app.json |");
  expect(all.summary).toContain("| ❌ | breaking configs/shop.app.json |");
});

test("the project's own configc is found, and a repository without configs passes", () => {
  const cwd = temporary();
  git(cwd, "init", "--quiet");
  const bin = join(root, "packages/cli/bin/configc.js");
  write(cwd, {
    "node_modules/configc/bin/configc.js": `import ${JSON.stringify(bin)};`,
    "package.json": "{}",
  });
  write(cwd, { "node_modules/configc/package.json": '{"type": "module"}' });
  const { status, summary } = action(cwd, { CONFIGC_COMMAND: "", CONFIGC_PUBLISHED: "" });
  expect(summary).toContain("| ✅ | check | nothing to report |");
  expect(status).toBe(0);
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
    expect(stdout).toContain("::error::git knows no “v1”");
    expect(stdout).toContain("give the checkout “fetch-depth: 0”");
  });

  test.each([
    [
      "an unknown verb",
      { CONFIGC_RUN: "chekc" },
      "There is nothing called chekc: run takes check, test, breaking, simulate.",
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
  for (const [, name] of used)
    expect(yaml).toMatch(new RegExp(`^ +${name}: \\$\\{\\{ (?:inputs|github)\\.`, "m"));
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
  const breaking = yaml.slice(yaml.indexOf("configc:breaking:"));
  const block = /^ {4}- \|\n((?: {6}.*\n)+)/m.exec(breaking)?.[1]?.replaceAll(/^ {6}/gm, "") ?? "";

  function job(cwd: string) {
    ensureBuilt();
    const tools = temporary();
    // What npx would find in the project.
    writeFileSync(join(tools, "npx"), `#!/bin/sh\nshift\nexec ${configc} "$@"\n`, { mode: 0o755 });
    const env = {
      ...process.env,
      PATH: [tools, searched].join(delimiter),
      CI_MERGE_REQUEST_DIFF_BASE_SHA: git(cwd, "rev-parse", "v1"),
    };
    const { status, stdout, stderr } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", block], {
      cwd,
      encoding: "utf8",
      env,
    });
    const file = join(cwd, "configc-breaking.json");
    return {
      status,
      stdout,
      stderr,
      report: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined,
    };
  }

  test("compares what changed, and fails where a customer is stranded; one report for all", () => {
    const cwd = repository();
    write(cwd, { "configs/shop.app.json": published.replace('"label": "Form"', '"label": "The form"') });
    expect(job(cwd)).toMatchObject({ status: 0, stderr: "", report: [] });
    git(cwd, "mv", "configs/shop.app.json", "configs/my shop.app.json");
    const renamed = published.replace('"name": "acme-import-submissions"', '"name": "acme-import"');
    write(cwd, {
      "configs/my shop.app.json": renamed,
      "configs/other.app.json": other.replace(/"type": "dropdown"/, '"type": "multiselect"'),
      "configs/new.app.json": "{}",
    });
    git(cwd, "add", "--all");
    const { status, report } = job(cwd);
    expect(status).toBe(1);
    const found = report.map(
      ({ check_name, location }: { check_name: string; location: { path: string } }) => [
        check_name,
        location.path,
      ],
    );
    expect(found).toContainEqual(["breaking/workflow-removed", "configs/my shop.app.json"]);
    expect(found).toContainEqual(["breaking/field-type", "configs/other.app.json"]);
  });

  test("fails where a published config is gone, and passes where nothing changed", () => {
    const cwd = repository();
    expect(job(cwd)).toMatchObject({ status: 0, report: [] });
    rmSync(join(cwd, "configs/other.app.json"));
    expect(job(cwd)).toMatchObject({ status: 1, report: [] });
  });

  test("names one file of code quality for each job: GitLab refuses several", () => {
    expect(yaml.match(/codequality: .*/g)?.filter((line) => line.includes("*"))).toEqual([]);
  });
});

test("simulate runs where it is asked for, and its stories are annotations and findings", () => {
  const cwd = repository();
  const polling = readFileSync(join(root, "packages/cli/templates/inbound-polling.app.json"), "utf8");
  write(cwd, { "configs/polls.app.json": polling.replace(/"initial_setup": .*/, "") });
  git(cwd, "add", ".");
  const { status, stdout, summary, run } = action(cwd, { CONFIGC_RUN: "simulate", CONFIGC_SEEDS: "1" });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^::error file=configs\/polls\.app\.json,.*title=simulate\/runs-succeed::/m);
  expect(stdout).toMatch(/^::notice file=configs\/polls\.app\.json,title=What ran in any world::/m);
  expect(summary).toMatch(/\| ❌ \| simulate configs\/polls\.app\.json \| 1 error \|/);
  expect(summary).toContain("| ✅ | simulate configs/other.app.json | nothing to report |");
  expect(run.results[0].ruleId).toBe("simulate/runs-succeed");
  expect(run.tool.driver.rules[run.results[0].ruleIndex].id).toBe("simulate/runs-succeed");
});
