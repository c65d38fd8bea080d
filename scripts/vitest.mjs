// Runs a suite of tests. In CI, files that fail get a second try, alone: there a browser, a database or a process may stand still for seconds,
// and the tests of a file build on each other, so that one of them can't be tried again by itself.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** More files than that don't fail by chance. */
const MOST_FILES = 5;

/**
 * @param {readonly string[]} args of `vitest run`
 * @returns {number} the status of the process
 */
export function runTests(args) {
  if (!process.env.CI) return vitest(args);
  const folder = mkdtempSync(join(tmpdir(), "configc-results-"));
  try {
    return withSecondTry(args, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withSecondTry(args, folder) {
  const first = reported(args, join(folder, "first.json"));
  if (first.status === 0 || first.results === undefined) return first.status;
  const failed = first.results.testResults
    .filter(({ status }) => status === "failed")
    .map(({ name }) => name);
  // Without a file that fails, it is the suite itself: an error outside of tests, or none was found.
  if (failed.length === 0 || failed.length > MOST_FILES) return first.status;
  console.log(`\nSecond try: ${failed.map((file) => relative(root, file)).join(", ")}\n`);
  const config = args.slice(0, 2);
  const second = reported([...config, ...failed], join(folder, "second.json"));
  if (second.results === undefined) return second.status || 1;
  const again = new Set(failed);
  const others = first.results.testResults.filter(({ name }) => !again.has(name));
  const results = [...others, ...second.results.testResults].flatMap(
    ({ assertionResults }) => assertionResults,
  );
  const count = (status) => results.filter((result) => result.status === status).length;
  const bad = count("failed");
  console.log(
    `      Tests  ${bad > 0 ? `${bad} failed | ` : ""}${count("passed")} passed (${results.length})`,
  );
  console.log(` at the second try  ${failed.map((file) => relative(root, file)).join(", ")}`);
  return second.status;
}

/** @returns the status, and what the runner wrote about each file: nothing where it ended before */
function reported(args, file) {
  const status = vitest([...args, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`]);
  try {
    return { status, results: JSON.parse(readFileSync(file, "utf8")) };
  } catch {
    return { status, results: undefined };
  }
}

function vitest(args) {
  const { status, error } = spawnSync(`${root}node_modules/.bin/vitest`, ["run", ...args], {
    cwd: root,
    stdio: "inherit",
  });
  if (error !== undefined) throw error;
  return status ?? 1;
}
