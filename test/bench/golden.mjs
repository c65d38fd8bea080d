// Whether what is found is byte for byte what another version found: `npm run golden -- REVISION`.
// The documents are those of this version (findings.ts), for both: only the packages are the other version's.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** What is compiled, and how: everything but the packages. */
const ours = ["test", "examples", "scripts", "docs"];
/** So many documents whose findings differ are printed. */
const SHOWN = 10;

const [revision, ...others] = process.argv.slice(2);
if (revision === undefined || others.length > 0) {
  console.error("Usage: npm run golden -- REVISION, such as HEAD for what isn't committed, or v1.0.0");
  process.exit(2);
}

// The process that is waited for ends at an interrupt, and the other version's files are removed.
process.on("SIGINT", () => {});

const folder = mkdtempSync(join(tmpdir(), "configc-golden-"));
const other = join(folder, "other");
try {
  execFileSync("git", ["worktree", "add", "--quiet", "--detach", other, revision], { cwd: root });
  for (const name of ours) {
    rmSync(join(other, name), { recursive: true, force: true });
    cpSync(join(root, name), join(other, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(other, "node_modules"), "dir");
  process.exitCode = compare(findings(other, "before"), findings(root, "now"));
} catch (error) {
  if (error.signal !== "SIGINT") throw error;
  process.exitCode = 130;
} finally {
  spawnSync("git", ["worktree", "remove", "--force", other], { cwd: root });
  rmSync(folder, { recursive: true, force: true });
}

/** The lines of a version, by the name of the document. */
function findings(tree, name) {
  console.error(`Checking with the packages of ${name === "now" ? "the work tree" : revision} …`);
  const file = join(folder, name);
  execFileSync(process.execPath, ["scripts/ts.mjs", "test/bench/findings.ts", file], {
    cwd: tree,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(": [")), line]));
}

/** Prints which documents differ, and how. */
function compare(before, now) {
  const differing = [...now.keys()].filter((name) => before.get(name) !== now.get(name));
  for (const name of differing.slice(0, SHOWN)) {
    const [then, today] = [before, now].map((lines) => parsed(lines.get(name)));
    console.log(name);
    for (const line of then) if (!today.includes(line)) console.log(`  - ${line}`);
    for (const line of today) if (!then.includes(line)) console.log(`  + ${line}`);
  }
  if (differing.length > SHOWN) console.log(`… and ${differing.length - SHOWN} more`);
  console.log(`${differing.length} of ${now.size} documents differ`);
  return differing.length > 0 ? 1 : 0;
}

/** The findings of a line, each as text. */
function parsed(line) {
  if (line === undefined) return [];
  return JSON.parse(line.slice(line.indexOf(": [") + 2)).map((finding) => JSON.stringify(finding));
}
