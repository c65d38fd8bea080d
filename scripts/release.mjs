// Turns what waits in .changeset into a version: manifests, lock file and changelog. Commits and publishes nothing.
// Usage: node scripts/release.mjs [YYYY-MM-DD]
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the manifests are; a test releases a copy of the repository. */
const root = process.env["RELEASE_ROOT"] ?? fileURLToPath(new URL("..", import.meta.url));
const changesetBin = fileURLToPath(new URL("../node_modules/@changesets/cli/bin.js", import.meta.url));
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

/** What a change is called in the changelog, by what it does to the version; before 1.0 a minor version may break. */
const headings = { major: "Changed, not compatible", minor: "Added", patch: "Fixed" };

const date = process.argv[2] ?? new Date().toISOString().slice(0, 10);
const plan = readPlan();
if (plan.changesets.length === 0) {
  console.error("Nothing waits for a release: .changeset has no change. `npx changeset` writes one.");
  process.exitCode = 1;
} else {
  changeset("version");
  const { version } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
  setVersion(join(root, "packages/host/src/saved-run/version.ts"), version);
  const changelog = join(root, "CHANGELOG.md");
  writeFileSync(changelog, withRelease(readFileSync(changelog, "utf8"), version));
  if (existsSync(join(root, "package-lock.json")))
    run(npm, ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"]);
  console.log(
    `${version}: write the docs again (npm run docs), look at the difference, then commit it and tag it v${version}.`,
  );
}

/** @returns {{ changesets: { summary: string, releases: { type: keyof typeof headings }[] }[] }} */
function readPlan() {
  const folder = mkdtempSync(join(tmpdir(), "configc-release-"));
  try {
    // The command takes a path relative to the repository.
    const file = join(folder, "plan.json");
    changeset("status", "--output", file);
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The changelog with a part for the version: what stood under “Unreleased”, and the changes. */
function withRelease(text, version) {
  const title = "## Unreleased\n";
  const start = text.indexOf(title);
  if (start < 0) throw new Error("CHANGELOG.md has no part “## Unreleased”.");
  const next = text.indexOf("\n## ", start + title.length);
  const end = next < 0 ? text.length : next + 1;
  let part = text.slice(start + title.length, end).trim();
  for (const type of Object.keys(headings)) {
    const lines = plan.changesets
      .filter(({ releases }) => strongest(releases) === type)
      .map(({ summary }) => `- ${summary.trim().replace(/\n/g, "\n  ")}`)
      .sort();
    if (lines.length > 0) part = under(part, `### ${headings[type]}`, lines.join("\n"));
  }
  const rest = text.slice(end);
  return `${text.slice(0, start)}${title}\n## ${version} – ${date}\n\n${part}\n${rest === "" ? "" : `\n${rest}`}`;
}

/** Sources can't read their manifest: a browser has none. */
function setVersion(file, version) {
  const text = readFileSync(file, "utf8");
  const changed = text.replace(/(?<=VERSION = ")[^"]*/, version);
  if (changed === text) throw new Error(`${file} has no other version to replace.`);
  writeFileSync(file, changed);
}

function strongest(releases) {
  return Object.keys(headings).find((type) => releases.some((release) => release.type === type));
}

/** Adds lines under a heading, which is made if it isn't there. */
function under(part, heading, lines) {
  const start = `${part}\n`.indexOf(`${heading}\n`);
  if (start < 0) return `${part}${part === "" ? "" : "\n\n"}${heading}\n\n${lines}`;
  const next = part.indexOf("\n### ", start);
  if (next < 0) return `${part}\n${lines}`;
  return `${part.slice(0, next).trimEnd()}\n${lines}\n${part.slice(next)}`;
}

function changeset(...args) {
  run(process.execPath, [changesetBin, ...args]);
}

function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(status ?? 1);
}
