import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const fixtures = readdirSync(`${here}fixtures`);

/** The fixtures say for each line which scopes its characters have; see `vscode-tmgrammar-test`. */
function mistakesIn(file: string): string {
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      "node_modules/vscode-tmgrammar-test/dist/unit.js",
      "--compact",
      "--config",
      "test/grammars/contributions.json",
      file,
    ],
    { cwd: root, encoding: "utf8", timeout: 60_000 },
  );
  return status === 0 ? "" : stdout || `status ${status}`;
}

test.each(fixtures)("%s has the scopes that it says", (name) => {
  expect(mistakesIn(`${here}fixtures/${name}`)).toBe("");
});
