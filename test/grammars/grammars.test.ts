import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const fixtures = readdirSync(`${here}fixtures`);

/**
 * The fixtures say for each line which scopes its characters have; see `vscode-tmgrammar-test`. It reads all of them in one process: beginning one
 * takes longer than they do.
 */
const { stdout, status } = spawnSync(
  process.execPath,
  [
    "node_modules/vscode-tmgrammar-test/dist/unit.js",
    "--compact",
    "--config",
    "test/grammars/contributions.json",
    ...fixtures.map((name) => `test/grammars/fixtures/${name}`),
  ],
  { cwd: root, encoding: "utf8", timeout: 60_000 },
);

test.each(fixtures)("%s has the scopes that it says", (name) => {
  const said = stdout.split("\n").filter((line) => line.includes(`fixtures/${name}`));
  expect(said).toEqual([expect.stringMatching(/^✓ .* run success/)]);
});

test("nothing else is wrong", () => {
  expect(status, stdout).toBe(0);
});
