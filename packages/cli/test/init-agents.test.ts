import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configc, folderWith } from "./support/cli.ts";

/** `configc init --agents`: what teaches coding agents, without taking anything away. */

test("writes instructions and a skill, and no config", () => {
  const cwd = folderWith();
  const { status, stdout } = configc(["init", "--agents"], { cwd });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "AGENTS.md\n.agents/skills/configc/SKILL.md\n" });
  expect(readFileSync(join(cwd, ".agents/skills/configc/SKILL.md"), "utf8")).toMatch(/^---\nname: configc\n/);
});

test("keeps what else stands in AGENTS.md, and writes its own part anew", () => {
  const cwd = folderWith({ "AGENTS.md": "# Ours\n\nUse tabs.\n" });
  configc(["init", "--agents"], { cwd });
  const path = join(cwd, "AGENTS.md");
  const first = readFileSync(path, "utf8");
  expect(first).toMatch(/^# Ours\n\nUse tabs\.\n\n<!-- configc: begin/);
  writeFileSync(path, `${first.replace("configc explain", "configc expound")}\n## More\n`);
  configc(["init", "--agents"], { cwd });
  expect(readFileSync(path, "utf8")).toBe(`${first}\n## More\n`);
});

test("writes a config too where one is named", () => {
  const cwd = folderWith();
  expect(configc(["init", "shop", "--agents"], { cwd }).stdout).toContain("shop.app.json");
});

test("a link isn't followed to write", () => {
  const outside = folderWith({ "AGENTS.md": "mine" });
  const cwd = folderWith();
  symlinkSync(join(outside, "AGENTS.md"), join(cwd, "AGENTS.md"));
  expect(configc(["init", "--agents"], { cwd }).status).toBe(2);
  expect(readFileSync(join(outside, "AGENTS.md"), "utf8")).toBe("mine");
});
