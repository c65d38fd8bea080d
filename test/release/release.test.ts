import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

/** `npm run release` on a copy of the manifests in a repository of its own. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "configc-release-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifests = ["package.json", "extension/package.json"].concat(
  readdirSync(join(root, "packages")).map((name) => `packages/${name}/package.json`),
);

const versionFile = "packages/host/src/saved-run/version.ts";

function git(...args: string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
  const { status, stderr } = spawnSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

function release() {
  return spawnSync(process.execPath, [join(root, "scripts/release.mjs"), "2026-12-01"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, RELEASE_ROOT: folder },
  });
}

const manifestOf = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));

test("changes become one version of all packages, and its part of the changelog", () => {
  for (const path of [...manifests, ".changeset/config.json", versionFile]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  writeFileSync(
    join(folder, "CHANGELOG.md"),
    "# Changelog\n\n## Unreleased\n\n### Fixed\n\n- A slip.\n\n## 0.0.9 – 2026-01-01\n\n- Older.\n",
  );
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  const before = manifestOf("packages/cli/package.json").version;

  const nothing = release();
  expect(nothing.stderr).toContain("Nothing waits for a release");
  expect(nothing.status).toBe(1);

  writeFileSync(join(folder, ".changeset/a.md"), '---\n"@configc/jq": minor\n---\n\nA new builtin.\n');
  writeFileSync(join(folder, ".changeset/b.md"), '---\n"configc": patch\n---\n\nAnother slip.\n');
  const { status, stdout, stderr } = release();
  expect(`${stderr}`).toBe("");
  expect(status).toBe(0);

  const [major, minor] = before.split(".").map(Number);
  const version = `${major}.${minor + 1}.0`;
  expect(stdout).toContain(version);
  for (const path of manifests.slice(1)) {
    const { version: own, dependencies = {} } = manifestOf(path);
    expect([path, own]).toEqual([path, version]);
    for (const [name, range] of Object.entries(dependencies))
      if (name.startsWith("@configc/")) expect([path, name, range]).toEqual([path, name, version]);
  }
  expect(readFileSync(join(folder, versionFile), "utf8")).toContain(`VERSION = "${version}"`);
  expect(readFileSync(join(folder, "CHANGELOG.md"), "utf8")).toBe(
    `# Changelog\n\n## Unreleased\n\n## ${version} – 2026-12-01\n\n### Fixed\n\n- A slip.\n- Another slip.\n\n` +
      "### Added\n\n- A new builtin.\n\n## 0.0.9 – 2026-01-01\n\n- Older.\n",
  );
  expect(readdirSync(join(folder, ".changeset"))).toEqual(["config.json"]);
});
