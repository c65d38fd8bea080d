// What the GitHub action runs: check, test and breaking, with annotations, one SARIF file and a summary of the job.
// Settings come as CONFIGC_… variables (see action.yml). Needs Node 20 and the project's own configc, nothing else.
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const settings = {
  paths: words(process.env.CONFIGC_PATHS),
  run: new Set(words(process.env.CONFIGC_RUN ?? "check test breaking")),
  published: process.env.CONFIGC_PUBLISHED ?? "",
  maxWarnings: process.env.CONFIGC_MAX_WARNINGS ?? "",
  sarif: process.env.CONFIGC_SARIF || "configc.sarif",
  command: words(process.env.CONFIGC_COMMAND || "npx --no-install configc"),
};
const scratch = mkdtempSync(join(tmpdir(), "configc-action-"));
/** What is written to the summary: a name, whether it passed, what it found. */
const rows = [];
const logs = [];

try {
  process.exitCode = main() ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function main() {
  const known = ["check", "test", "breaking"];
  const unknown = [...settings.run].filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return fail(`There is nothing called ${unknown.join(", ")}: run takes ${known.join(", ")}.`);
  const { status, stderr } = configc(["--version"]);
  if (status !== 0)
    return fail(
      `configc can't be started by “${settings.command.join(" ")}”: add it to the development dependencies and run “npm ci” before. ${stderr.trim()}`,
    );
  if (settings.run.has("check")) check();
  if (settings.run.has("test")) test();
  if (settings.run.has("breaking")) breaking();
  writeFileSync(settings.sarif, `${JSON.stringify(merged(logs), null, 2)}\n`);
  append("GITHUB_OUTPUT", `sarif=${settings.sarif}\n`);
  append("GITHUB_STEP_SUMMARY", summary());
  return rows.every(({ passed }) => passed);
}

function check() {
  const limit = settings.maxWarnings === "" ? [] : ["--max-warnings", settings.maxWarnings];
  const found = report(["check", ...limit, ...settings.paths], "check");
  rows.push({ name: "check", ...found });
}

function test() {
  // A config that is named is no test: its tests stand beside it.
  const paths = settings.paths.filter((path) => !/\.app\.jsonc?$/.test(path));
  const { status, stdout, stderr } = configc(["test", "--format", "json", ...paths]);
  process.stderr.write(stderr);
  if (status === 2) {
    annotate("error", {}, `The tests can't be run. ${stderr.trim()}`);
    rows.push({ name: "test", passed: false, text: "can't be run" });
    return;
  }
  const cases = JSON.parse(stdout).files.flatMap(({ path, cases }) =>
    cases.map((each) => ({ path, ...each })),
  );
  const failed = cases.filter(({ passed }) => !passed);
  for (const { path, name, reasons = [] } of failed)
    annotate("error", { file: path, title: `test: ${name}` }, reasons.join("\n") || "It failed.");
  rows.push({
    name: "test",
    passed: status === 0,
    text: `${cases.length - failed.length} of ${cases.length} passed`,
  });
}

/** Each config that the published ref has too, compared with itself there; one that was renamed with its old path. */
function breaking() {
  const { published } = settings;
  if (published === "") {
    rows.push({ name: "breaking", passed: true, text: "not compared: there is no published ref" });
    return;
  }
  if (git(["rev-parse", "--verify", "--quiet", `${published}^{commit}`]).status !== 0) {
    annotate(
      "error",
      {},
      `git knows no “${published}”: give the checkout “fetch-depth: 0”, so that there is something to compare with.`,
    );
    rows.push({ name: "breaking", passed: false, text: `${published} isn't there` });
    return;
  }
  const changes = git([
    "diff",
    "--relative",
    "--name-status",
    "-z",
    "-M",
    published,
    "--",
    "*.app.json",
    "*.app.jsonc",
  ]);
  for (const { kind, before, path } of changesIn(changes.stdout)) {
    if (kind === "A") continue;
    const name = `breaking ${path}`;
    if (kind === "D") {
      annotate(
        "error",
        {},
        `${path} is published, and isn't there any more: customers of its workflows stay on the old version.`,
      );
      rows.push({ name, passed: false, text: "removed" });
    } else
      rows.push({ name, ...report(["breaking", path, "--against", `git:${published}:./${before}`], name) });
  }
  if (!rows.some(({ name }) => name.startsWith("breaking")))
    rows.push({ name: "breaking", passed: true, text: "no published config changed" });
}

/** @param {string} listed what `git diff --name-status -z` prints: status and path, for a rename both paths */
function* changesIn(listed) {
  const parts = listed.split("\0");
  for (let i = 0; parts[i] !== undefined && parts[i] !== ""; ) {
    const kind = parts[i].charAt(0);
    const before = parts[i + 1];
    const isRename = kind === "R" || kind === "C";
    yield { kind, before, path: isRename ? parts[i + 2] : before };
    i += isRename ? 3 : 2;
  }
}

/** Runs a verb that reports findings: annotations are printed, the rest is kept. */
function report(args, name) {
  const file = join(scratch, `${logs.length}.sarif`);
  const { status, stdout, stderr } = configc([
    ...args,
    "--format",
    "github",
    "--format",
    "sarif",
    "--output",
    file,
  ]);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  if (status !== 0 && status !== 1) {
    annotate("error", {}, `configc ${name}: ${stderr.trim()}`);
    return { passed: false, text: "can't be run" };
  }
  const log = JSON.parse(readFileSync(file, "utf8"));
  logs.push(log);
  const results = log.runs.flatMap((run) => run.results);
  const count = (level) => results.filter((result) => result.level === level).length;
  return {
    passed: status === 0,
    text:
      results.length === 0
        ? "nothing to report"
        : `${count("error")} errors, ${count("warning")} warnings, ${count("note")} notes`,
  };
}

/** One log with one run: code scanning takes one a tool. */
function merged(all) {
  const [first] = all;
  if (first === undefined) return { version: "2.1.0", runs: [] };
  const runs = all.flatMap((log) => log.runs);
  const rules = [
    ...new Map(runs.flatMap((run) => run.tool.driver.rules.map((rule) => [rule.id, rule]))).values(),
  ];
  const indexes = new Map(rules.map((rule, index) => [rule.id, index]));
  const [{ tool, artifacts: _, ...rest }] = first.runs;
  return {
    ...first,
    runs: [
      {
        ...rest,
        tool: { ...tool, driver: { ...tool.driver, rules } },
        results: runs.flatMap((run) =>
          run.results.map((result) => ({ ...withoutIndexes(result), ruleIndex: indexes.get(result.ruleId) })),
        ),
      },
    ],
  };
}

/** Artifacts are listed in each log for itself: places name them by their address alone. */
function withoutIndexes(result) {
  return JSON.parse(JSON.stringify(result), (key, value) => {
    if (key !== "artifactLocation") return value;
    const { index: _, ...location } = value;
    return location;
  });
}

function summary() {
  const lines = rows.map(
    ({ name, passed, text }) => `| ${passed ? "✅" : "❌"} | ${cell(name)} | ${cell(text)} |`,
  );
  return ["### configc", "", "| | | |", "|---|---|---|", ...lines, ""].join("\n");
}

function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replace(/\s+/g, " ");
}

function fail(message) {
  annotate("error", {}, message);
  return false;
}

function annotate(level, properties, message) {
  const escaped = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const listed = Object.entries(properties).map(
    ([name, value]) => `${name}=${escaped(value).replaceAll(":", "%3A").replaceAll(",", "%2C")}`,
  );
  console.log(`::${level}${listed.length === 0 ? "" : ` ${listed.join(",")}`}::${escaped(message)}`);
}

function append(variable, text) {
  const file = process.env[variable];
  if (file !== undefined && file !== "") appendFileSync(file, text);
}

function configc(args) {
  const [command, ...first] = settings.command;
  const result = spawnSync(command, [...first, ...args], { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  return result.error === undefined ? result : { status: null, stdout: "", stderr: result.error.message };
}

function git(args) {
  return spawnSync("git", args, { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
}

function words(text = "") {
  return text.split(/\s+/).filter((word) => word !== "");
}
