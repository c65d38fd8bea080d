// What the GitHub action runs: check, test and breaking, and simulate if it is asked for, with annotations, one SARIF file and a summary of the job.
// Settings come as CONFIGC_… variables (see action.yml). Needs Node 20 and the project's own configc, nothing else.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";

const root = process.cwd();
/** Where configc is installed and runs; GitHub wants paths from the repository's root. */
const folder = resolve(process.env.CONFIGC_WORKING_DIRECTORY ?? "");
const prefix = relative(root, folder).split(sep).filter(Boolean).join("/");
const settings = {
  paths: listed(process.env.CONFIGC_PATHS),
  run: new Set(words(process.env.CONFIGC_RUN ?? "check test breaking")),
  published: process.env.CONFIGC_PUBLISHED ?? "",
  /** The base of the pull request, with what others have merged meanwhile. */
  base: process.env.CONFIGC_BASE ?? "",
  maxWarnings: process.env.CONFIGC_MAX_WARNINGS ?? "",
  seeds: process.env.CONFIGC_SEEDS || "20",
  sarif: process.env.CONFIGC_SARIF || "configc.sarif",
};
const command = words(process.env.CONFIGC_COMMAND);
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
  const known = ["check", "test", "breaking", "simulate"];
  const unknown = [...settings.run].filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return fail(`There is nothing called ${unknown.join(", ")}: run takes ${known.join(", ")}.`);
  if (!existsSync(folder)) return fail(`The working directory “${prefix}” isn't there.`);
  if (command.length === 0) command.push(...installed());
  const { status, stderr } = configc(["--version"]);
  if (status !== 0)
    return fail(
      `configc can't be started by “${command.join(" ")}”: add it to the development dependencies and run “npm ci” before. ${stderr.trim()}`,
    );
  if (settings.run.has("check")) check();
  if (settings.run.has("test")) test();
  if (settings.run.has("breaking")) breaking();
  if (settings.run.has("simulate")) simulate();
  writeFileSync(settings.sarif, `${JSON.stringify(merged(logs), null, 2)}\n`);
  append("GITHUB_OUTPUT", `sarif=${settings.sarif}\n`);
  append("GITHUB_STEP_SUMMARY", summary());
  return rows.every(({ passed }) => passed);
}

/** The project's own configc: started by Node itself, since Windows can't start npx without a shell. */
function installed() {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, "node_modules/configc/bin/configc.js");
    if (existsSync(file)) return [process.execPath, file];
    if (dirname(at) === at) return ["npx", "--no-install", "configc"];
  }
}

function check() {
  const limit = settings.maxWarnings === "" ? [] : ["--max-warnings", settings.maxWarnings];
  rows.push({ name: "check", ...report(["check", ...limit, ...settings.paths], "check") });
}

function test() {
  // Where configs are named, their tests are those beside them.
  const paths = settings.paths
    .map((path) => path.replace(/\.app\.jsonc?$/, ".apptest.json"))
    .filter(
      (path, index) => path === settings.paths[index] || isGlob(path) || existsSync(join(folder, path)),
    );
  if (paths.length === 0 && settings.paths.length > 0) {
    rows.push({ name: "test", passed: true, text: "there are no tests" });
    return;
  }
  const { status, stdout, stderr } = configc(["test", "--format", "json", ...paths]);
  process.stderr.write(stderr);
  const cases = (parsed(stdout)?.files ?? []).flatMap(({ path, cases }) =>
    cases.map((each) => ({ path, ...each })),
  );
  const failed = cases.filter(({ passed }) => !passed);
  for (const { path, name, reasons = [] } of failed)
    annotate("error", { file: fromRoot(path), title: `test: ${name}` }, reasons.join("\n") || "It failed.");
  const known = status === 0 || status === 1;
  if (!known) annotate("error", {}, `Not all tests can be run. ${stderr.trim()}`);
  const count =
    cases.length === 0 ? "there are no tests" : `${cases.length - failed.length} of ${cases.length} passed`;
  rows.push({
    name: "test",
    passed: status === 0,
    text: known ? count : `can't be run; of the others ${count}`,
  });
}

/** Each config against a service that is derived from it: the same worlds on every machine. */
function simulate() {
  const { stdout } = git(["ls-files", "-z", "--", ...pathspecs()]);
  const configs = stdout.split("\0").filter((path) => path !== "" && isConfig(path));
  for (const path of configs)
    rows.push({
      name: `simulate ${path}`,
      ...report(["simulate", path, "--seeds", settings.seeds], "simulate"),
    });
  if (configs.length === 0) rows.push({ name: "simulate", passed: true, text: "there are no configs" });
}

/** Each config that the published version has too, compared with itself there; one that was renamed with its old path. */
function breaking() {
  const name = "breaking";
  const wanted = settings.published || settings.base;
  if (wanted === "") {
    rows.push({ name, passed: true, text: "not compared: there is no published ref" });
    return;
  }
  const published = settings.published === "" ? branchedFrom(settings.base) : commit(settings.published);
  if (published === undefined) {
    const advice = "give the checkout “fetch-depth: 0”, so that there is something to compare with.";
    annotate("error", {}, `git knows no “${wanted}”, or not how it is related to this commit: ${advice}`);
    rows.push({ name, passed: false, text: `${wanted} isn't there` });
    return;
  }
  const options = ["--relative", "--name-status", "-z", "-M"];
  const { stdout } = git(["diff", ...options, published, "--", ...pathspecs()]);
  for (const { kind, before, path } of changesIn(stdout)) {
    if (!isConfig(before) || kind === "A") continue;
    if (kind === "D") {
      annotate(
        "error",
        {},
        `${fromRoot(path)} is published, and isn't there any more: customers of its workflows stay on the old version.`,
      );
      rows.push({ name: `${name} ${path}`, passed: false, text: "removed" });
    } else {
      const found = report(["breaking", path, "--against", `git:${published}:./${before}`], name);
      rows.push({ name: `${name} ${path}`, ...found });
    }
  }
  if (!rows.some((row) => row.name.startsWith(name)))
    rows.push({ name, passed: true, text: "no published config changed" });
}

/**
 * Where this branch left its base. What the base has got since isn't missing here: a merge keeps it.
 *
 * @returns undefined if the history isn't there
 */
function branchedFrom(base) {
  const { status, stdout } = git(["merge-base", base, "HEAD"]);
  return status === 0 ? stdout.trim() : undefined;
}

function commit(ref) {
  const { status, stdout } = git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
  return status === 0 ? stdout.trim() : undefined;
}

/** The paths of the settings, as git wants them: there, as for configc, a glob without a slash means any depth. */
function pathspecs() {
  const paths = settings.paths.map((path) =>
    path.includes("/") ? `:(glob)${path.replace(/^\.\//, "")}` : path,
  );
  return paths.length === 0 ? ["."] : paths;
}

/** What has another name by the project's settings is compared if `paths` names it. */
function isConfig(path) {
  return /\.app\.jsonc?$/.test(path) || settings.paths.includes(path);
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
  process.stdout.write(
    prefix === ""
      ? stdout
      : stdout.replace(/^(::\w+ file=)/gm, `$1${property(prefix).replaceAll("$", "$$$$")}/`),
  );
  process.stderr.write(stderr);
  const log = existsSync(file) ? parsed(readFileSync(file, "utf8")) : undefined;
  if (log !== undefined) logs.push(log);
  if (log === undefined || (status !== 0 && status !== 1)) {
    annotate("error", {}, `configc ${name}: ${stderr.trim()}`);
    return { passed: false, text: "can't be run" };
  }
  const results = log.runs.flatMap((run) => run.results);
  const counts = ["error", "warning", "note"].flatMap((level) => {
    const count = results.filter((result) => result.level === level).length;
    return count === 0 ? [] : [`${count} ${level}${count === 1 ? "" : "s"}`];
  });
  return { passed: status === 0, text: counts.join(", ") || "nothing to report" };
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
          run.results.map((result) => ({ ...placed(result), ruleIndex: indexes.get(result.ruleId) })),
        ),
      },
    ],
  };
}

/** Artifacts are listed in each log for itself: places name them by their address alone, from the repository's root. */
function placed(result) {
  const start = prefix.split("/").filter(Boolean).map(encodeURIComponent);
  return JSON.parse(JSON.stringify(result), (key, value) => {
    if (key !== "artifactLocation") return value;
    const { index: _, ...location } = value;
    return { ...location, uri: [...start, location.uri].join("/") };
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
  const given = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
  console.log(`::${level}${given.length === 0 ? "" : ` ${given.join(",")}`}::${escaped(message)}`);
}

function escaped(text) {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text) {
  return escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function append(variable, text) {
  const file = process.env[variable];
  if (file !== undefined && file !== "") appendFileSync(file, text);
}

function configc(args) {
  const [program, ...first] = command;
  const options = { cwd: folder, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 };
  const result = spawnSync(program, [...first, ...args], options);
  return result.error === undefined ? result : { status: null, stdout: "", stderr: result.error.message };
}

function git(args) {
  return spawnSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
}

/** @returns undefined for what isn't JSON, as the output of a command that couldn't be started */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fromRoot(path) {
  return prefix === "" ? path : `${prefix}/${path}`;
}

function isGlob(path) {
  return /[*?[{]/.test(path);
}

/** One a line where there are several lines, so that paths may have blanks; else separated by blanks. */
function listed(text = "") {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const filled = lines.filter((line) => line !== "");
  return filled.length > 1 || lines.length > 1 ? filled : words(text);
}

function words(text = "") {
  return text.split(/\s+/).filter((word) => word !== "");
}
