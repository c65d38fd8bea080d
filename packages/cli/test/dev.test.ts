import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start } from "./support/async-cli.ts";
import { folderWith, templatePath } from "./support/cli.ts";

/** `configc dev` as a process; the pages have tests of their own. */
const config = readFileSync(templatePath("outbound"), "utf8");

test("prints where it is, keeps its state out of git, and ends in good order", async () => {
  const cwd = folderWith({ "shop.app.json": config });
  const child = start(["dev", "shop.app.json", "--port", "0"], { cwd });
  const [line] = (await once(child.process.stdout!, "data")) as [Buffer];
  const url = line.toString().trim();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(await (await fetch(url)).text()).toContain("Nothing is set up yet");
  expect(readFileSync(join(cwd, ".configc/.gitignore"), "utf8")).toBe("*\n");
  expect(existsSync(join(cwd, ".configc/shop/state.db"))).toBe(true);

  const taken = start(["dev", "shop.app.json", "--directory", "other", "--port", new URL(url).port], { cwd });
  expect(await taken.done).toMatchObject({ status: 2, stderr: expect.stringContaining("can't be served") });

  child.process.kill("SIGINT");
  expect(await child.done).toMatchObject({
    status: 0,
    stderr: expect.not.stringContaining("mistake in configc"),
  });
});

test.each([
  { args: ["--port", "x"], says: "--port is a number" },
  { args: ["--public-url", "here"], says: "--public-url is a URL" },
  { args: ["--base-url", "here"], says: "--base-url is a URL" },
])("wrong usage: $args", async ({ args, says }) => {
  const cwd = folderWith({ "shop.app.json": config });
  const { status, stderr } = await start(["dev", "shop.app.json", ...args], { cwd }).done;
  expect([status, stderr]).toEqual([2, expect.stringContaining(says)]);
});
