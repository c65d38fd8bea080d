import { readFileSync } from "node:fs";
import { join } from "node:path";
import { XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { configc, folderWith, templatePath } from "./support/cli.ts";
import { configcHere } from "./support/in-process.ts";

describe("graph", () => {
  test("Mermaid by default, DOT if asked", async () => {
    const mermaid = configc(["graph", templatePath("outbound")]);
    expect(mermaid).toMatchObject({ status: 0, stderr: "" });
    expect(mermaid.stdout).toMatch(/^flowchart LR\n/);
    expect((await configcHere(["graph", templatePath("outbound"), "--format", "dot"])).stdout).toMatch(
      /^digraph app \{/,
    );
  });

  test("a picture in a file, named after the config", async () => {
    const cwd = folderWith();
    const args = ["graph", templatePath("historical-sync"), "--format", "svg", "--output", "out/app.svg"];
    expect(await configcHere(args, { cwd })).toEqual({ status: 0, stdout: "", stderr: "" });
    const svg = readFileSync(join(cwd, "out/app.svg"), "utf8");
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(svg).toContain("<title>historical-sync.app.json</title>");
    expect(svg).toContain('data-pointer="/workflows/0"');
  });

  test("one workflow, and names of those that there are", async () => {
    const file = templatePath("inbound-polling");
    const [name = ""] = JSON.parse(readFileSync(file, "utf8")).workflows.map(
      (each: { name: string }) => each.name,
    );
    expect((await configcHere(["graph", file, "--workflow", name])).stdout).toContain(name);
    const { status, stderr } = await configcHere(["graph", file, "--workflow", `${name}s`]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(name)]);
  });

  test("a config with mistakes is drawn, and told of", async () => {
    const cwd = folderWith({ "shop.app.json": '{"workflows": [{"name": "w"}]' });
    const { status, stdout, stderr } = await configcHere(["graph", "shop.app.json"], { cwd });
    expect(status).toBe(0);
    expect(stdout).toContain("<b>w</b>");
    expect(stderr).toContain("has mistakes, so the picture may lack something: configc check shop.app.json");
  });

  test("files that can't be read or written", async () => {
    const unread = await configcHere(["graph", "nowhere.app.json"]);
    expect(unread.status).toBe(2);
    expect(unread.stderr).toContain("nowhere.app.json: there is no such file or folder.");
    const cwd = folderWith({ file: "" });
    const unwritten = await configcHere(["graph", templatePath("outbound"), "--output", "file/x.mmd"], {
      cwd,
    });
    expect(unwritten.status).toBe(2);
    expect(unwritten.stderr).toContain("file/x.mmd can't be written");
  });
});
